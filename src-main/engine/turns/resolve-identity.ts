import type { SessionIdentity } from '../ports/session-store.ts';

export interface IdentityFields {
  readonly session_id: string;
  readonly session_key?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly user_id?: string | undefined;
}

/** OpenClaw's session keys name their agent: `agent:{id}:…`. */
export function agentOfSessionKey(sessionKey: string): string | undefined {
  return /^agent:([^:]+):/.exec(sessionKey)?.[1];
}

export function resolveIdentity(fields: IdentityFields, defaultUser: string): SessionIdentity {
  const sessionKey = fields.session_key ?? '';
  return {
    userId: fields.user_id ?? defaultUser,
    agentId: fields.agent_id ?? agentOfSessionKey(sessionKey) ?? 'main',
    sessionKey,
    sessionId: fields.session_id,
  };
}

export type SessionKind = 'main' | 'subagent' | 'cron' | 'other';

/** What kind of conversation a session key stands for (OpenClaw's own spelling of the keys). */
export function sessionKindOf(sessionKey: string): SessionKind {
  const tail = sessionKey.replace(/^agent:[^:]+:/, '');
  if (tail === '' || tail === 'main') return 'main';
  if (tail.startsWith('subagent:')) return 'subagent';
  if (tail.startsWith('cron:')) return 'cron';
  return 'other';
}

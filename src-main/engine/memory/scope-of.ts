import type { MemoryAccess, MemoryScope } from '../../../src-shared/model/memory-scope.ts';

export const localAccount = 'local';

/** Who listens: decides how much of memory a conversation may see. */
export type Audience = 'direct' | 'group' | 'subagent' | 'cron';

/**
 * By OpenClaw's spelling of session keys: `agent:main:main`, `agent:main:telegram:group:-100`, `agent:main:slack:channel:c1`,
 * `agent:main:subagent:…`, `agent:main:cron:…`. A key that is empty or unknown is taken for a direct conversation of
 * the user at the machine.
 */
export function audienceOf(sessionKey: string): Audience {
  const parts = sessionKey
    .replace(/^agent:[^:]+:/, '')
    .toLowerCase()
    .split(':');
  if (parts[0] === 'subagent' || parts.includes('subagent')) return 'subagent';
  if (parts[0] === 'cron') return 'cron';
  return parts.some((part) => groupWords.has(part)) ? 'group' : 'direct';
}

const groupWords: ReadonlySet<string> = new Set(['group', 'channel', 'room', 'guild', 'supergroup', 'thread', 'topic']);

export interface Reader {
  readonly userId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionUid?: string | undefined;
}

/** What a conversation may see. `access` is by configuration, one for each audience. */
export function scopeOf(reader: Reader, access: Readonly<Record<Audience, MemoryAccess>>): MemoryScope {
  const audience = audienceOf(reader.sessionKey);
  return {
    accountId: localAccount,
    userId: reader.userId,
    agentId: reader.agentId,
    sessionUid: reader.sessionUid,
    otherSessions: audience === 'direct' && access.direct === 'all',
    access: access[audience],
    labels: undefined,
  };
}

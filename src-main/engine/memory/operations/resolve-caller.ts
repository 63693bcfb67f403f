import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { resolveIdentity } from '../../turns/resolve-identity.ts';

export interface CallerFields {
  readonly session_id?: string | undefined;
  readonly session_key?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly user_id?: string | undefined;
}

export interface Caller {
  readonly userId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionUid: string | undefined;
}

/** Who asks a tool: the session where one is named and known, else the user at the machine with the main agent. */
export async function resolveCaller(
  fields: CallerFields,
  { store, config }: Pick<EngineParts, 'store' | 'config'>,
): Promise<Caller> {
  const identity = resolveIdentity({ ...fields, session_id: fields.session_id ?? '' }, config.user_id);
  const session = fields.session_id === undefined ? undefined : await store.findSession(identity);
  const { userId, agentId, sessionKey } = identity;
  return { userId, agentId, sessionKey: session?.sessionKey ?? sessionKey, sessionUid: session?.uid };
}

/**
 * Whether a page is memory of the caller or of its agent. Other files of the workspace (AGENTS.md, MEMORY.md, notes) are a
 * person's: no tool of an agent takes them away.
 */
export function isOwn(uri: string, { userId, agentId }: Pick<Caller, 'userId' | 'agentId'>): boolean {
  const page = parseUri(uri);
  if (page.kind !== 'page') return false;
  if (page.owner === 'user') return page.userId === userId;
  return page.owner === 'agent' && page.agentId === agentId;
}

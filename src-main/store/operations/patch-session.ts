import type { SessionPatch } from '../../engine/ports/session-store.ts';
import type { StoredSession } from '../tables/session-table.ts';

/** The session with the patch's fields. Its last activity never goes back, also when the machine's clock does. */
export function patchSession(session: StoredSession, patch: SessionPatch): StoredSession {
  return {
    ...session,
    lastActiveAt: Math.max(session.lastActiveAt, patch.lastActiveAt ?? 0),
    lastBudget: patch.lastBudget ?? session.lastBudget,
    lastModel: patch.lastModel ?? session.lastModel,
    cursor: patch.cursor === undefined ? session.cursor : (patch.cursor ?? undefined),
    parentSessionKey: patch.parentSessionKey ?? session.parentSessionKey,
    ended: patch.ended === undefined ? session.ended : (patch.ended ?? undefined),
  };
}

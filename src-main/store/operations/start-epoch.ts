import type { StoredSession } from '../tables/session-table.ts';
import type { WriteTables } from '../tables/store-tables.ts';
import { requireSession } from './require-session.ts';

/** A reset: the turns so far stay in the log, in an epoch of their own. A second reset in a row changes nothing. */
export function startEpoch(tables: WriteTables, uid: string, at: number): StoredSession {
  const session = requireSession(tables.sessions, uid);
  if (session.lastSequence === session.epochStart) return session;
  const next: StoredSession = {
    ...session,
    epoch: session.epoch + 1,
    epochStart: session.lastSequence,
    epochTokens: 0,
    cursor: undefined,
  };
  tables.sessions.save(next);
  tables.epochs.insert(next.no, next.epoch, next.epochStart, at);
  return next;
}

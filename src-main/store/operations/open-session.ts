import type { SessionIdentity } from '../../engine/ports/session-store.ts';
import type { StoredSession } from '../tables/session-table.ts';
import type { WriteTables } from '../tables/store-tables.ts';
import { findSession } from './find-session.ts';
import { requireSession } from './require-session.ts';

/** The session when it is there as the request names it, so that opening it needs no write. */
export function asRequested(session: StoredSession | undefined, who: SessionIdentity): StoredSession | undefined {
  return who.sessionKey === '' || session?.sessionKey === who.sessionKey ? session : undefined;
}

/** Finds the session, gives it the key that it was stored without, or makes it with its first epoch. */
export function openSession(tables: WriteTables, who: SessionIdentity, at: number, newUid: string): StoredSession {
  const found = findSession(tables.sessions, who);
  const open = asRequested(found, who);
  if (open !== undefined) return open;
  if (found !== undefined) {
    tables.sessions.setKey(found.no, who.sessionKey);
    return requireSession(tables.sessions, found.uid);
  }
  tables.sessions.insert(who, newUid, at);
  const session = requireSession(tables.sessions, newUid);
  tables.epochs.insert(session.no, session.epoch, 0, at);
  return session;
}

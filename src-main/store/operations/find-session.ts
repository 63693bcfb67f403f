import type { SessionIdentity } from '../../engine/ports/session-store.ts';
import type { StoredSession } from '../tables/session-table.ts';

interface Sessions {
  exact(who: SessionIdentity): StoredSession | undefined;
  newestOfAgent(who: SessionIdentity): StoredSession | undefined;
}

/**
 * The session that a request means. Some calls of a host come without the session key: they mean the session that
 * was active last under this id. A session that was stored without a key is taken for the keyed one.
 */
export function findSession(sessions: Sessions, who: SessionIdentity): StoredSession | undefined {
  if (who.sessionKey === '') return sessions.newestOfAgent(who);
  return sessions.exact(who) ?? sessions.exact({ ...who, sessionKey: '' });
}

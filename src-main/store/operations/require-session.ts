import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { StoredSession } from '../tables/session-table.ts';

interface Sessions {
  byUid(uid: string): StoredSession | undefined;
}

/** @throws EngineError `unknown_session` */
export function requireSession(sessions: Sessions, uid: string): StoredSession {
  const session = sessions.byUid(uid);
  if (session !== undefined) return session;
  throw new EngineError(
    'unknown_session',
    `There is no session with the uid ${JSON.stringify(uid.slice(0, 200))}. GET /v1/sessions lists those there are.`,
  );
}

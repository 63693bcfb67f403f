import type { SessionSummary } from '../../src-shared/model/session.ts';

/** What a person knows the session by: its key, else the host's id. */
export function sessionName(session: Pick<SessionSummary, 'session_key' | 'session_id'>): string {
  return session.session_key === '' ? session.session_id : session.session_key;
}

import type { SessionSummary } from '../../src-shared/model/session.ts';

/** Every word of the filter is found in the session's key, id, agent, model or strategy; case does not matter. */
export function matchesSession(session: SessionSummary, filter: string): boolean {
  const text = [
    session.session_key,
    session.session_id,
    session.session_uid,
    session.agent_id,
    session.user_id,
    session.last_model ?? '',
    session.strategy,
  ]
    .join('\n')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

import type { SessionSummary } from '../../src-shared/model/session.ts';

/**
 * Whether the host keeps this session for a purpose of its own, such as a review that it runs behind a conversation.
 * OpenClaw's keys of such sessions are `agent:{id}:internal-session-effects:…`.
 */
export function isHostInternal({ session_key: key }: Pick<SessionSummary, 'session_key'>): boolean {
  return /^agent:[^:]*:internal-session-effects(:|$)/.test(key);
}

import type { CallSummary } from '../../src-shared/model/trace.ts';
import { preparationCalls } from './preparation-calls.ts';

/**
 * The call before this one that was sent, as far as can be told; preparations are passed over. Undefined while it has not been
 * read, and for the first call.
 *
 * @param calls of one session, newest first
 */
export function previousCall(calls: readonly CallSummary[], callId: string): CallSummary | undefined {
  const at = calls.findIndex((call) => call.call_id === callId);
  if (at < 0) return undefined;
  const preparations = preparationCalls(calls);
  return calls.slice(at + 1).find((call) => !preparations.has(call.call_id));
}

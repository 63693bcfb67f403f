import type { CallSummary } from '../../src-shared/model/trace.ts';

/** Two calls that are further apart belong to two requests, the first of which may have failed at the provider (ms). */
const togetherMs = 10_000;

/**
 * Ids of the calls that were built and, as far as can be told, not sent: the host asked again at once for the same prompt,
 * and no provider’s number came for them. Hosts ask once while they prepare a request and once when they make it.
 *
 * @param calls of one session, newest first
 */
export function preparationCalls(calls: readonly CallSummary[]): ReadonlySet<string> {
  return new Set(calls.filter((call, index) => isPreparation(call, calls[index - 1])).map((call) => call.call_id));
}

function isPreparation(call: CallSummary, next: CallSummary | undefined): boolean {
  if (next === undefined || call.usage !== undefined || call.prompt_preview === undefined) return false;
  const apart = Date.parse(next.created_at) - Date.parse(call.created_at);
  return (
    next.prompt_preview === call.prompt_preview &&
    next.epoch === call.epoch &&
    next.model === call.model &&
    apart <= togetherMs
  );
}

import type { CallSummary } from '../../src-shared/model/trace.ts';

/**
 * The budget that a call of the session has now: that of the newest call which fitted it. In the middle of a tool loop a
 * host may name what is left beside its pending messages, which can be next to nothing.
 *
 * @param calls newest first
 */
export function newestBudget(calls: readonly CallSummary[]): number | undefined {
  const fitting = calls.find(({ token_budget: budget, estimated_tokens: tokens }) => budget > 0 && tokens <= budget);
  return (fitting ?? calls.find((call) => call.token_budget > 0))?.token_budget;
}

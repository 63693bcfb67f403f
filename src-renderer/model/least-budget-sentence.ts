import type { MinimalBudgetReply } from '../../src-shared/protocol/replay.ts';
import { formatCount, formatDelta } from './format-number.ts';

/** The least budget that sends an item, in a sentence that says how far it can be trusted. */
export function leastBudgetSentence(reply: MinimalBudgetReply): string {
  const { state, token_budget: budget, recorded_budget: recorded } = reply;
  const trust = reply.exact ? '' : ' This is close and not exact: the call could not be run again byte for byte.';
  if (state === 'sent') return 'It was sent in this call.';
  if (state === 'none' || budget === undefined) {
    return `No budget sends it${reply.reason === undefined ? '' : `: ${reply.reason.message}`}.${trust}`.replace(
      '..',
      '.',
    );
  }
  const how = reply.action === 'trimmed' ? ', trimmed' : '';
  const gaps = reply.is_monotone
    ? ''
    : ' Some larger budgets do not send it, because the window begins elsewhere then.';
  return `A budget of ${formatCount(budget)} tokens would have sent it${how}: ${formatDelta(budget - recorded)} to the ${formatCount(recorded)} of this call.${gaps}${trust}`;
}

import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';
import type { CallSummary, SegmentKind } from '../../src-shared/model/trace.ts';
import { layoutBudgetBar } from './layout-budget-bar.ts';
import { preparationCalls } from './preparation-calls.ts';
import { scaleUsed } from './scale-used.ts';

/** One call as a column of the budget over time. Heights are shares of the chart, 0 to 1. */
export interface CallColumn {
  readonly call: CallSummary;
  /** From the bottom up, in the order in which the model reads them. */
  readonly segments: readonly { readonly kind: SegmentKind; readonly tokens: number; readonly height: number }[];
  readonly used: number;
  readonly budget: number;
  /** What went beyond the budget. */
  readonly over: number;
  /** The provider’s number for the whole prompt, where it measures one. */
  readonly provider: number | undefined;
  /** Compactions between the call before and this one, oldest first. */
  readonly compactions: readonly CheckpointRecord[];
}

export interface CallColumns {
  /** Newest first, without those that were only prepared. */
  readonly columns: readonly CallColumn[];
  /** Tokens at the top of the chart. */
  readonly top: number;
  readonly preparations: number;
}

/**
 * @param calls of one session, newest first
 * @param checkpoints of the session, newest first
 */
export function callColumns(calls: readonly CallSummary[], checkpoints: readonly CheckpointRecord[]): CallColumns {
  const preparations = preparationCalls(calls);
  const sent = calls.filter((call) => !preparations.has(call.call_id));
  const top = Math.max(1, ...sent.map((call) => Math.max(call.token_budget, call.estimated_tokens)));
  const marks = compactionsBefore(sent, checkpoints);
  const columns = sent.map((call, index): CallColumn => {
    const layout = layoutBudgetBar(scaleUsed(call.used, call.estimated_tokens), call.token_budget);
    const { usage } = call;
    return {
      call,
      segments: layout.segments
        .filter(({ kind }) => kind !== 'free')
        .map(({ kind, tokens }) => ({ kind, tokens, height: tokens / top })),
      used: layout.used / top,
      budget: call.token_budget / top,
      over: layout.over / top,
      provider: usage === undefined || usage.sum_of_model_calls !== undefined ? undefined : usage.prompt_tokens / top,
      compactions: marks[index] ?? [],
    };
  });
  return { columns, top, preparations: preparations.size };
}

/** For each call, the checkpoints that were committed since the call before it; both lists are walked once. */
function compactionsBefore(
  sent: readonly CallSummary[],
  checkpoints: readonly CheckpointRecord[],
): readonly (readonly CheckpointRecord[])[] {
  let next = 0;
  while (isAfter(checkpoints[next]?.committed_at, sent[0]?.created_at)) next += 1;
  return sent.map((_call, index) => {
    const before = sent[index + 1]?.created_at;
    const mine: CheckpointRecord[] = [];
    // Before the oldest call that has been read nothing is known of the calls around it.
    while (before !== undefined && isAfter(checkpoints[next]?.committed_at, before)) {
      const checkpoint = checkpoints[next];
      if (checkpoint !== undefined) mine.unshift(checkpoint);
      next += 1;
    }
    return mine;
  });
}

function isAfter(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) > Date.parse(other);
}

import type { StandingChange } from '../../src-shared/protocol/checkpoints.ts';
import { formatCount, formatDelta, formatNoun } from './format-number.ts';

export interface ChangeWords {
  readonly lines: readonly string[];
  /** The context would not fit the budget. */
  readonly warning: string | undefined;
}

/** What would come of taking a checkpoint back or giving it back, in sentences. */
export function standingChangeWords(change: StandingChange): ChangeWords {
  const { tokens_before: before, tokens_after: after, token_budget: budget, raw_turns: raw } = change;
  const lines: string[] = [];
  if (raw > 0) lines.push(`${formatNoun(raw, 'turn')} ${raw === 1 ? 'is' : 'are'} sent word for word again.`);
  lines.push(
    before === after
      ? 'The whole context stays as large as it is.'
      : `The whole context ${after > before ? 'grows' : 'shrinks'} by ${formatNoun(Math.abs(after - before), 'token')}.`,
  );
  const over = after - budget;
  const warning =
    budget > 0 && over > 0
      ? `The whole context would be ${formatNoun(over, 'token')} over the ${formatCount(budget)} that a call may take${before > budget ? ', as it is already' : ''}: calls ${before > budget ? 'go on leaving' : 'would leave'} out the oldest turns until they fit, and compaction would soon come again.`
      : undefined;
  return { lines, warning };
}

/** `−12,345`, red when it grew. */
export function changeDelta(change: Pick<StandingChange, 'tokens_before' | 'tokens_after'>): string {
  return formatDelta(change.tokens_after - change.tokens_before);
}

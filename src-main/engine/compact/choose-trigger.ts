import type { CompactTrigger } from '../../../src-shared/model/checkpoint.ts';
import type { Config } from '../../../src-shared/model/config.ts';

export type BackgroundTrigger = Extract<CompactTrigger, 'budget' | 'tokens_added' | 'turns' | 'interval'>;

/** What a session is like after a turn was stored. */
export interface TriggerFacts {
  /** Calibrated tokens of the whole context, and what it may take. */
  readonly contextTokens: number;
  readonly budget: number;
  /** Since the last compaction, or since the session or its epoch began. */
  readonly tokensAdded: number;
  readonly userTurnsAdded: number;
  readonly turnsAdded: number;
  /** Turns that no summary stands for, and how many the strategy wants at most. */
  readonly rawTurns: number;
  readonly rawTurnLimit: number | undefined;
  readonly msPassed: number;
}

/** Whether it is time to compact; the first that applies (spec §6). */
export function chooseTrigger(
  facts: TriggerFacts,
  { budget_share: share, tokens_added: tokens, turns, interval_minutes: minutes }: Config['compaction']['triggers'],
): BackgroundTrigger | undefined {
  if (facts.turnsAdded < 1) return undefined;
  if (share > 0 && facts.contextTokens >= share * facts.budget) return 'budget';
  if (tokens > 0 && facts.tokensAdded >= tokens) return 'tokens_added';
  if (facts.rawTurns > (facts.rawTurnLimit ?? Infinity)) return 'turns';
  if (turns > 0 && facts.userTurnsAdded >= turns) return 'turns';
  return minutes > 0 && facts.msPassed >= minutes * 60_000 ? 'interval' : undefined;
}

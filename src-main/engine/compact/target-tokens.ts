import type { Config } from '../../../src-shared/model/config.ts';
import type { CompactionOrder } from './compaction-order.ts';

export interface TargetFacts extends Pick<Config, 'assemble' | 'compaction'> {
  /** Budget of the session's newest assemble call. */
  readonly lastBudget: number | undefined;
  readonly ratio: number;
  /** Our tokens of the context as it is. */
  readonly contextTokens: number;
}

export interface CompactTarget {
  /** Our tokens that the context should take, and those that it may take at most. */
  readonly target: number;
  readonly limit: number;
}

/**
 * What a compaction aims at. The smaller of the budgets counts: hosts give compact the whole window, and assemble what
 * is left of it after their own prompt. What the provider counted beyond our list is taken for the host's own overhead
 * and leaves less room. Every further attempt of an overflow recovery halves both figures.
 */
export function compactTarget(request: CompactionOrder, facts: TargetFacts): CompactTarget {
  const named = [request.token_budget, facts.lastBudget].filter((budget) => budget !== undefined);
  const budget = named.length > 0 ? Math.min(...named) : facts.assemble.default_token_budget;
  const counted = request.current_token_count ?? 0;
  const overhead = request.trigger === 'overflow' ? Math.max(0, counted - facts.contextTokens * facts.ratio) : 0;
  const room = Math.min(budget, Math.max(0, (request.token_budget ?? budget) - overhead));
  const shrink = facts.ratio * 2 ** Math.max(0, (request.attempt ?? 1) - 1);
  return {
    target: Math.floor((room * facts.compaction.target_share) / shrink),
    limit: Math.floor((room * limitShare) / shrink),
  };
}

/** Above this share of the budget the next turn would ask for the next compaction (spec §6: 0.75). */
const limitShare = 0.7;

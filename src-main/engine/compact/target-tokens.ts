import type { Config } from '../../../src-shared/model/config.ts';
import type { CompactRequest } from '../../../src-shared/protocol/compact.ts';

export interface TargetFacts extends Pick<Config, 'assemble' | 'compaction'> {
  /** Budget of the session's newest assemble call. */
  readonly lastBudget: number | undefined;
  readonly ratio: number;
  /** Our tokens of the context as it is. */
  readonly contextTokens: number;
}

/**
 * Our tokens that the context may take after a compaction. The smaller of the budgets counts: hosts give compact the
 * whole window and assemble what is left of it after their own prompt. What the provider counted beyond our list is
 * taken for the host's own overhead and leaves less room. Every further attempt of an overflow recovery halves it.
 */
export function targetTokens(request: CompactRequest, facts: TargetFacts): number {
  const named = [request.token_budget, facts.lastBudget].filter((budget) => budget !== undefined);
  const budget = named.length > 0 ? Math.min(...named) : facts.assemble.default_token_budget;
  const counted = request.current_token_count ?? 0;
  const overhead = request.trigger === 'overflow' ? Math.max(0, counted - facts.contextTokens * facts.ratio) : 0;
  const room = Math.min(
    budget * facts.compaction.target_share,
    Math.max(0, (request.token_budget ?? budget) - overhead),
  );
  const halvings = Math.max(0, (request.attempt ?? 1) - 1);
  return Math.floor(room / facts.ratio / 2 ** halvings);
}

import type { CompactTarget } from './target-tokens.ts';

/** Tokens that a summary may take. */
export interface SummarySize {
  readonly abstractTokens: number;
  readonly overviewTokens: number;
}

/** Spec §6: abstract ≈ 100 tokens, overview ≈ 500. */
export const fullSize: SummarySize = { abstractTokens: 100, overviewTokens: 500 };

/**
 * In a small window the summary gets smaller too, or it would eat what the compaction freed; and of a small range it
 * keeps less than half.
 */
export function summarySize({ target, limit }: CompactTarget, sourceTokens: number): SummarySize {
  // A target of nothing asks for all but the newest turns, not for a small summary.
  const room = target === 0 ? limit / 2 : target;
  const share = Math.min(1, Math.max(0.2, room / (4 * fullSize.overviewTokens)));
  return {
    abstractTokens: Math.floor(Math.min(fullSize.abstractTokens * Math.max(0.4, share), sourceTokens * 0.15)),
    overviewTokens: Math.floor(Math.min(fullSize.overviewTokens * share, sourceTokens * 0.4)),
  };
}

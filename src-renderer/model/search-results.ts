import type { RecallCandidate } from '../../src-shared/model/recall.ts';

/** Below it a candidate has little more in common with the words than that both are text. */
const weak = 0.1;

export interface SearchResults {
  /** Best first. */
  readonly found: readonly RecallCandidate[];
  /** Candidates that are too weak to be called found. */
  readonly weaker: number;
}

/**
 * What a person calls found: recall puts what is pinned first whatever was asked, and lists the best of what it rejected.
 * Where nothing is better than weak, the weak ones are what there is.
 */
export function searchResults(candidates: readonly RecallCandidate[]): SearchResults {
  const byScore = candidates.toSorted((one, other) => other.score - one.score);
  const strong = byScore.filter(({ score }) => score >= weak);
  const found = strong.length > 0 ? strong : byScore.filter(({ reason }) => reason !== 'pinned');
  return { found, weaker: candidates.length - found.length };
}

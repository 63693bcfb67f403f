import type { RecallCandidate, RecallResult } from '../../../src-shared/model/recall.ts';

export interface Repacking {
  readonly limit: number;
  readonly minScore: number;
  /** Tokens for all of it. */
  readonly maxTokens: number;
  readonly isPinned: (uri: string) => boolean;
  readonly isExcluded: (uri: string) => boolean;
}

/** What other thresholds, another room or a pin change nothing about. */
const settled: ReadonlySet<RecallCandidate['reason']> = new Set(['already_in_context', 'superseded']);

/**
 * Decides anew about the candidates of a recorded search, by the rules of `packCandidates` and the scores of then. What
 * was below the threshold was not compared with the others, so that duplicates among those are not seen.
 */
export function repackRecall(result: RecallResult, by: Repacking): RecallResult {
  const listed = result.candidates.filter(({ uri }) => !by.isExcluded(uri));
  const isFirst = (candidate: RecallCandidate): boolean => by.isPinned(candidate.uri) || candidate.reason === 'pinned';
  const inOrder = [...listed.filter(isFirst), ...listed.filter((candidate) => !isFirst(candidate))];
  let tokens = 0;
  let count = 0;
  const candidates = inOrder.map(({ threshold: _, ...candidate }): RecallCandidate => {
    const verdict = judge(candidate, isFirst(candidate), by, { tokens, count });
    const packed = verdict.reason === 'packed' || verdict.reason === 'pinned';
    if (packed) {
      tokens += candidate.tokens;
      count += 1;
    }
    return { ...candidate, ...verdict, packed };
  });
  return { ...result, candidates, tokens, abstained: count === 0 };
}

function judge(
  candidate: RecallCandidate,
  isPinned: boolean,
  { limit, minScore, maxTokens }: Repacking,
  taken: { readonly tokens: number; readonly count: number },
): Pick<RecallCandidate, 'reason' | 'threshold'> {
  if (settled.has(candidate.reason)) return { reason: candidate.reason };
  if (!isPinned && candidate.score < minScore) return { reason: 'below_threshold', threshold: minScore };
  if (!isPinned && candidate.because_of !== undefined) return { reason: 'duplicate' };
  if (!isPinned && taken.count >= limit) return { reason: 'over_limit', threshold: limit };
  if (taken.tokens + candidate.tokens > maxTokens) return { reason: 'over_budget', threshold: maxTokens };
  return { reason: isPinned ? 'pinned' : 'packed' };
}

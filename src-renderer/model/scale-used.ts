import type { AssembleTrace, SegmentKind } from '../../src-shared/model/trace.ts';

type Used = { readonly [K in SegmentKind]?: number | undefined };

/**
 * Segments in the measure of the estimate: slots and decisions are counted by our tokenizer, while the estimate and
 * the budget are in the provider's tokens. Without this a bar would show free room that there is not.
 */
export function scaleUsed(used: Used, estimatedTokens: number): Used {
  const entries = Object.entries(used).filter(([kind]) => kind !== 'free' && kind !== 'reserved');
  const counted = entries.reduce((sum, [, tokens]) => sum + (tokens ?? 0), 0);
  if (counted === 0) return used;
  const factor = estimatedTokens / counted;
  const scaled: { [K in SegmentKind]?: number } = {};
  for (const [kind, tokens] of entries) scaled[kind as SegmentKind] = Math.round((tokens ?? 0) * factor);
  return { ...used, ...scaled };
}

/** What a token of ours is in the measure of the call's estimate; 1 when nothing was sent. */
export function scaleFactor(trace: Pick<AssembleTrace, 'decisions' | 'estimated_tokens'>): number {
  const counted = trace.decisions.reduce((sum, decision) => sum + decision.tokens_after, 0);
  return counted === 0 ? 1 : trace.estimated_tokens / counted;
}

import type { SegmentKind } from '../../src-shared/model/trace.ts';
import { segmentKinds } from './segment-kinds.ts';

export interface BarSegment {
  readonly kind: SegmentKind;
  readonly tokens: number;
  /** Share of the bar's whole length, 0 to 1. */
  readonly share: number;
}

export interface BudgetBarLayout {
  /** In reading order; `free` last. Kinds without tokens are left out. */
  readonly segments: readonly BarSegment[];
  readonly used: number;
  readonly free: number;
  /** Tokens beyond the budget; 0 when it was kept. */
  readonly over: number;
  /** Where the budget ends on the bar, 0 to 1; below 1 only when it was exceeded. */
  readonly budgetMark: number;
  /** Used tokens per token of the budget; undefined without a budget. */
  readonly usedShare: number | undefined;
}

/** How a stacked bar of one call is drawn. The bar is as long as the larger of the budget and what was used. */
export function layoutBudgetBar(
  usedByKind: { readonly [K in SegmentKind]?: number | undefined },
  budget: number,
): BudgetBarLayout {
  const filled = segmentKinds
    .filter(({ kind }) => kind !== 'free')
    .map(({ kind }) => ({ kind, tokens: usedByKind[kind] ?? 0 }))
    .filter(({ tokens }) => tokens > 0);
  const used = filled.reduce((sum, { tokens }) => sum + tokens, 0);
  const length = Math.max(used, budget);
  const free = Math.max(0, budget - used);
  const all = free > 0 ? [...filled, { kind: 'free' as const, tokens: free }] : filled;
  return {
    segments: all.map(({ kind, tokens }) => ({ kind, tokens, share: length === 0 ? 0 : tokens / length })),
    used,
    free,
    over: Math.max(0, used - budget),
    budgetMark: length === 0 ? 1 : Math.min(1, budget / length),
    usedShare: budget > 0 ? used / budget : undefined,
  };
}

import type { AssembleTrace, SegmentKind } from '../../src-shared/model/trace.ts';

/** Tokens that each kind of segment took in the end, by our own count: the sum over what was decided. */
export function usedByKind(trace: Pick<AssembleTrace, 'decisions' | 'items'>): {
  readonly [K in SegmentKind]?: number;
} {
  const kinds = new Map(trace.items.map((item) => [item.item, item.kind]));
  const used: { [K in SegmentKind]?: number } = {};
  for (const { item, tokens_after: tokens } of trace.decisions) {
    const kind = kinds.get(item);
    if (kind !== undefined && tokens > 0) used[kind] = (used[kind] ?? 0) + tokens;
  }
  return used;
}

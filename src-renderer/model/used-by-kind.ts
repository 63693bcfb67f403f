import type { AssembleTrace, SegmentKind } from '../../src-shared/model/trace.ts';

/** Tokens that each kind of segment took in the end: from the slots, which is where the engine counted them. */
export function usedByKind(trace: Pick<AssembleTrace, 'slots'>): { readonly [K in SegmentKind]?: number } {
  const used: { [K in SegmentKind]?: number } = {};
  for (const slot of trace.slots) used[slot.kind] = (used[slot.kind] ?? 0) + slot.used;
  return used;
}

import type { SegmentKind, TraceDecision, TraceItem, TraceSlot } from '../../../src-shared/model/trace.ts';

/** A slot before anything was counted. */
export function emptySlot(kind: SegmentKind, allotted: number, rule: string): TraceSlot {
  return { kind, allotted: Math.max(0, Math.floor(allotted)), asked: 0, used: 0, cut: 0, rule };
}

/**
 * What each slot asked for, used and cut, by the decisions as they turned out, and what is left of the budget: `used`
 * of all slots adds up to the budget. Tool results belong to the raw turns, and what a strategy gave no slot gets one.
 */
export function settleSlots(
  slots: readonly TraceSlot[],
  items: readonly TraceItem[],
  decisions: readonly TraceDecision[],
  budget: number,
): TraceSlot[] {
  const settled = new Map<SegmentKind, TraceSlot>();
  for (const { kind, allotted, rule } of slots) {
    if (kind !== 'free' && !settled.has(kind)) settled.set(kind, emptySlot(kind, allotted, rule));
  }
  let left = budget;
  decisions.forEach((decision, index) => {
    const slot = slotOf(settled, items[index]?.kind ?? 'raw_turn');
    if (competes(decision)) slot.asked += decision.tokens_before;
    slot.used += decision.tokens_after;
    left -= decision.tokens_after;
  });
  for (const slot of settled.values()) slot.cut = Math.max(0, slot.asked - slot.used);
  const free = Math.max(0, left);
  return [...settled.values(), { ...emptySlot('free', free, 'what is left of the budget'), used: free }];
}

function slotOf(slots: Map<SegmentKind, TraceSlot>, kind: SegmentKind): TraceSlot {
  const shared = kind === 'tool_result' || kind === 'summary' ? slots.get('raw_turn') : undefined;
  const known = slots.get(kind) ?? shared;
  if (known) return known;
  const slot = emptySlot(kind, 0, 'no slot of the strategy');
  slots.set(kind, slot);
  return slot;
}

/** What somebody else stands for, or nothing could send, did not ask for room. */
export function competes({ reason }: TraceDecision): boolean {
  return !notCompeting.has(reason);
}

const notCompeting: ReadonlySet<TraceDecision['reason']> = new Set([
  'covered_by_checkpoint',
  'covered_by_host_summary',
  'excluded_from_context',
  'before_reset',
  'host_sends_it',
  'recall_over_limit',
  'recall_below_threshold',
  'recall_duplicate',
  'recall_superseded',
  'recall_in_context',
  'recall_unchanged',
  'recall_abstained',
  'recall_skipped',
  'recall_late',
  'recall_failed',
]);

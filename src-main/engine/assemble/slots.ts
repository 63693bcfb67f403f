import type { SegmentKind, TraceSlot } from '../../../src-shared/model/trace.ts';
import type { Choice } from './assemble-input.ts';

export interface SlotLimit {
  readonly kinds: readonly SegmentKind[];
  readonly kind: SegmentKind;
  readonly allotted: number;
  readonly rule: string;
}

/** What each slot was given, asked for, used and cut, and what is left of the budget. */
export function slotsOf(choices: readonly Choice[], limits: readonly SlotLimit[], budget: number): TraceSlot[] {
  const slots = limits.map((limit): TraceSlot => {
    const own = choices.filter((choice) => limit.kinds.includes(choice.candidate.kind));
    const asked = sum(own.filter(competes).map((choice) => choice.candidate.tokens));
    const used = sum(own.map((choice) => choice.tokensAfter));
    return {
      kind: limit.kind,
      allotted: limit.allotted,
      asked,
      used,
      cut: Math.max(0, asked - used),
      rule: limit.rule,
    };
  });
  const used = sum(slots.map((slot) => slot.used));
  const free = Math.max(0, budget - used);
  return [...slots, { kind: 'free', allotted: free, asked: 0, used: free, cut: 0, rule: 'what is left of the budget' }];
}

/** Turns that a checkpoint stands for did not ask for room. */
function competes(choice: Choice): boolean {
  return choice.reason !== 'covered_by_checkpoint' && choice.reason !== 'covered_by_host_summary';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

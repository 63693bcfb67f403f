import type { CompactCheckpoint } from './checkpoint.ts';

type Placed = Pick<CompactCheckpoint, 'checkpoint_id' | 'epoch' | 'source_turn_range'>;
type Successor = Placed & Pick<CompactCheckpoint, 'parent_checkpoint_ids'>;

/** Whether `successor`, of the same session, can be what `ended` was folded into or replaced by. */
export function isSuccessor(successor: Successor, ended: Placed, state: 'folded' | 'replaced'): boolean {
  const [range, part] = [successor.source_turn_range, ended.source_turn_range];
  if (successor.epoch !== ended.epoch || successor.checkpoint_id === ended.checkpoint_id) return false;
  if (state === 'replaced') return isSameRange(successor, ended);
  return (
    range.start_sequence <= part.start_sequence &&
    part.end_sequence <= range.end_sequence &&
    successor.parent_checkpoint_ids.includes(ended.checkpoint_id)
  );
}

export function isSameRange(a: Pick<Placed, 'source_turn_range'>, b: Pick<Placed, 'source_turn_range'>): boolean {
  const [one, other] = [a.source_turn_range, b.source_turn_range];
  return one.start_sequence === other.start_sequence && one.end_sequence === other.end_sequence;
}

/** Of those that stand, the ones that `restored` cannot take the place of. */
export function inTheWayOf<T extends Placed>(restored: Successor, standing: readonly T[]): readonly T[] {
  return standing.filter(
    (one) => isOverlapping(one, restored) && !isSameRange(one, restored) && !isSuccessor(restored, one, 'folded'),
  );
}

/** Two of one session that would both stand for some turn. */
export function isOverlapping(a: Placed, b: Placed): boolean {
  const [one, other] = [a.source_turn_range, b.source_turn_range];
  return a.epoch === b.epoch && one.start_sequence <= other.end_sequence && other.start_sequence <= one.end_sequence;
}

/**
 * Those of one session that stand again when `successor` is dissolved.
 * @param folded what is recorded as folded into it
 */
export function standingAgain<T extends Placed>(successor: Successor, folded: readonly T[]): readonly T[] {
  const again: T[] = [];
  for (const one of folded) {
    if (isSuccessor(successor, one, 'folded') && !again.some((other) => isOverlapping(one, other))) again.push(one);
  }
  return again;
}

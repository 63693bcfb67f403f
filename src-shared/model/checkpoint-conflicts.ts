import type { CheckpointState, CompactCheckpoint } from './checkpoint.ts';
import { EngineError } from './engine-error.ts';

/** What a checkpoint was to be for this. */
export type CheckpointWish = 'dissolved' | 'restored' | 'run again' | 'folded';

/** A checkpoint that is not in the state that the wish needs, with what to do about it. */
export function wrongState(
  { checkpoint_id: id }: Pick<CompactCheckpoint, 'checkpoint_id'>,
  end: { readonly state: CheckpointState; readonly by: string | undefined } | undefined,
  wish: CheckpointWish,
): EngineError {
  const by = end?.by === undefined ? '' : ` by ${end.by}`;
  const state = end === undefined ? 'stands' : `is ${end.state}${by}`;
  return new EngineError('checkpoint_conflict', `The checkpoint ${id} ${state} and cannot be ${wish}.${remedy(end)}`, {
    details: { checkpoint_id: id, state: end?.state ?? 'stands', ended_by: end?.by },
  });
}

function remedy(end: { readonly state: CheckpointState; readonly by: string | undefined } | undefined): string {
  if (end === undefined) return ' Only one that is dissolved or replaced can.';
  if (end.state === 'folded') return end.by === undefined ? '' : ` Dissolve ${end.by} first.`;
  return ' Restore it first.';
}

/** Others stand for a part of its range. */
export function alreadyCovered(
  { source_turn_range: range }: Pick<CompactCheckpoint, 'source_turn_range'>,
  others: readonly Pick<CompactCheckpoint, 'checkpoint_id'>[],
): EngineError {
  const ids = others.map((one) => one.checkpoint_id);
  return new EngineError(
    'checkpoint_conflict',
    `Turns ${range.start_sequence} to ${range.end_sequence} are covered by ${ids.join(', ')} already; dissolve that first, or leave it.`,
    { details: { checkpoint_ids: ids } },
  );
}

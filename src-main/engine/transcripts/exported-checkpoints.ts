import { isSuccessor } from '../../../src-shared/model/checkpoint-succession.ts';
import type { CheckpointEnd, SessionRow, StoredCheckpoint } from '../ports/session-store.ts';

type ById = ReadonlyMap<string, StoredCheckpoint>;

/**
 * The checkpoints as they were when the session was as it is given: without those that were made since, and with those
 * that these stand for standing.
 * @param all of the session, read at once
 */
export function exportedCheckpoints(
  all: readonly StoredCheckpoint[],
  session: Pick<SessionRow, 'lastSequence'>,
): readonly StoredCheckpoint[] {
  const known: ById = new Map(all.map((one) => [one.checkpoint.checkpoint_id, one]));
  const kept = new Map<string, StoredCheckpoint>();
  for (const one of [...all].sort((a, b) => a.checkpoint.level - b.checkpoint.level)) {
    const { checkpoint_id: id, source_turn_range: range, as_of: seen, parent_checkpoint_ids: parents } = one.checkpoint;
    const wasThere = range.end_sequence <= session.lastSequence && (seen?.sequence ?? 0) <= session.lastSequence;
    if (wasThere && parents.every((parent) => kept.has(parent))) kept.set(id, one);
  }
  return all
    .filter(({ checkpoint }) => kept.has(checkpoint.checkpoint_id))
    .map((one) => ({ checkpoint: one.checkpoint, end: endOf(one, kept, known) }));
}

function endOf({ checkpoint, end }: StoredCheckpoint, kept: ById, known: ById): CheckpointEnd | undefined {
  if (end === undefined) return undefined;
  const { state, at } = end;
  let { by } = end;
  const passed = new Set<string>();
  while (state !== 'dissolved' && by !== undefined && !passed.has(by)) {
    passed.add(by);
    const successor = known.get(by);
    // Stores of earlier versions may name what was never made of it.
    if (!successor || !isSuccessor(successor.checkpoint, checkpoint, state)) break;
    if (kept.has(by)) return { state, at, by };
    if (successor.end === undefined) return undefined;
    by = successor.end.by;
  }
  return { state, at, by: undefined };
}

import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { StoredCheckpoint, Succession } from '../../engine/ports/session-store.ts';
import type { CheckpointRow } from '../tables/checkpoint-table.ts';
import type { WriteTables } from '../tables/store-tables.ts';
import { requireSession } from './require-session.ts';

/**
 * Adds a checkpoint that stands from now on; those it succeeds stand no longer. Must run in one transaction.
 * @throws EngineError `checkpoint_conflict` when something else stands for a part of the range: somebody compacted in
 * between.
 */
export function addCheckpoint(
  tables: WriteTables,
  checkpoint: CompactCheckpoint,
  sessionUid: string,
  succession: Succession | undefined,
): void {
  const session = requireSession(tables.sessions, sessionUid);
  const succeeded = (succession?.ids ?? []).map((id) => requireStanding(tables, id));
  const inTheWay = overlapping(tables, session.no, checkpoint).filter(
    (standing) => !succeeded.some(({ no }) => no === standing.no),
  );
  if (inTheWay.length > 0) throw conflict(checkpoint, inTheWay);
  // Numbered here: others may have been added since it was written.
  const no = tables.checkpoints.insert(session.no, { ...checkpoint, archive_index: session.checkpointCount });
  for (const one of succeeded) {
    tables.checkpoints.end(one.no, succession?.as ?? 'folded', succession?.at ?? 0, no);
    // What the replaced one was made of, the new one is made of.
    if (succession?.as === 'replaced') tables.checkpoints.refold(one.no, no);
  }
  tables.sessions.save({ ...session, checkpointCount: session.checkpointCount + 1 });
}

/** As they were exported, oldest first; those that are known stay as they are. Must run in one transaction. */
export function importCheckpoints(
  tables: WriteTables,
  checkpoints: readonly StoredCheckpoint[],
  sessionUid: string,
): void {
  const isNew = checkpoints.filter(({ checkpoint }) => !tables.checkpoints.find(checkpoint.checkpoint_id));
  const { no } = requireSession(tables.sessions, sessionUid);
  for (const { checkpoint, end } of isNew) {
    if (end === undefined) {
      const inTheWay = overlapping(tables, no, checkpoint);
      if (inTheWay.length > 0) throw conflict(checkpoint, inTheWay);
      tables.checkpoints.insert(no, checkpoint);
    } else {
      const inserted = tables.checkpoints.insert(no, checkpoint);
      tables.checkpoints.end(inserted, end.state, end.at, undefined);
    }
    const session = requireSession(tables.sessions, sessionUid);
    tables.sessions.save({ ...session, checkpointCount: session.checkpointCount + 1 });
  }
  // Successors are younger, so they are there only now.
  for (const { checkpoint, end } of isNew) {
    const successor = end?.by === undefined ? undefined : tables.checkpoints.find(end.by);
    const own = tables.checkpoints.find(checkpoint.checkpoint_id);
    if (end && successor && own) tables.checkpoints.end(own.no, end.state, end.at, successor.no);
  }
}

/** Its turns are raw again, or the checkpoints that it was made of stand again. Must run in one transaction. */
export function dissolveCheckpoint(tables: WriteTables, checkpointId: string, at: number): void {
  const found = requireStanding(tables, checkpointId);
  tables.checkpoints.end(found.no, 'dissolved', at, undefined);
  tables.checkpoints.unfold(found.no);
}

/**
 * A dissolved or replaced checkpoint stands again, in the place of what stands for the same range or of what it was
 * made of. Must run in one transaction.
 * @throws EngineError `checkpoint_conflict` when something else stands for a part of its range.
 */
export function restoreCheckpoint(tables: WriteTables, checkpointId: string, at: number): void {
  const found = requireCheckpoint(tables, checkpointId);
  if (found.end?.state !== 'dissolved' && found.end?.state !== 'replaced') throw wrongState(found, 'restored');
  const standing = overlapping(tables, found.sessionNo, found.checkpoint);
  const parents = new Set(found.checkpoint.parent_checkpoint_ids);
  const others = standing.filter((one) => !sameRange(one, found) && !parents.has(one.checkpoint.checkpoint_id));
  if (others.length > 0) throw conflict(found.checkpoint, others);
  for (const one of standing) {
    const isParent = parents.has(one.checkpoint.checkpoint_id);
    tables.checkpoints.end(one.no, isParent ? 'folded' : 'replaced', at, found.no);
    if (!isParent) tables.checkpoints.refold(one.no, found.no);
  }
  tables.checkpoints.stand(found.no);
}

function requireCheckpoint(tables: WriteTables, checkpointId: string): CheckpointRow {
  const found = tables.checkpoints.find(checkpointId);
  if (found) return found;
  throw new EngineError('unknown_checkpoint', `There is no checkpoint ${JSON.stringify(checkpointId.slice(0, 200))}.`);
}

function requireStanding(tables: WriteTables, checkpointId: string): CheckpointRow {
  const found = requireCheckpoint(tables, checkpointId);
  if (found.end === undefined) return found;
  throw wrongState(found, 'dissolved or run again');
}

function wrongState({ checkpoint, end }: CheckpointRow, wanted: string): EngineError {
  const by = end?.by === undefined ? '' : ` by ${end.by}`;
  const state = end === undefined ? 'stands' : `is ${end.state}${by}`;
  const remedy = end?.state === 'folded' && end.by !== undefined ? ` Dissolve ${end.by} first.` : '';
  return new EngineError(
    'checkpoint_conflict',
    `The checkpoint ${checkpoint.checkpoint_id} ${state} and cannot be ${wanted}.${remedy}`,
    { details: { checkpoint_id: checkpoint.checkpoint_id, state: end?.state ?? 'stands', ended_by: end?.by } },
  );
}

function overlapping(tables: WriteTables, sessionNo: number, { epoch, source_turn_range: range }: CompactCheckpoint) {
  return tables.checkpoints
    .standing(sessionNo, epoch)
    .filter(
      ({ checkpoint: { source_turn_range: other } }) =>
        other.start_sequence <= range.end_sequence && range.start_sequence <= other.end_sequence,
    );
}

function sameRange(a: CheckpointRow, b: CheckpointRow): boolean {
  const [one, other] = [a.checkpoint.source_turn_range, b.checkpoint.source_turn_range];
  return one.start_sequence === other.start_sequence && one.end_sequence === other.end_sequence;
}

function conflict({ source_turn_range: range }: CompactCheckpoint, others: readonly CheckpointRow[]): EngineError {
  const ids = others.map(({ checkpoint }) => checkpoint.checkpoint_id);
  return new EngineError(
    'checkpoint_conflict',
    `Turns ${range.start_sequence} to ${range.end_sequence} are covered by ${ids.join(', ')} already; dissolve that first, or leave it.`,
    { details: { checkpoint_ids: ids } },
  );
}

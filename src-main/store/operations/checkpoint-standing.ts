import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { alreadyCovered, wrongState, type CheckpointWish } from '../../../src-shared/model/checkpoint-conflicts.ts';
import {
  inTheWayOf,
  isOverlapping,
  isSuccessor,
  standingAgain,
} from '../../../src-shared/model/checkpoint-succession.ts';
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
  const wish = succession?.as === 'replaced' ? 'run again' : 'folded';
  const succeeded = (succession?.ids ?? []).map((id) => requireStanding(tables, id, wish));
  const inTheWay = overlapping(tables, session.no, checkpoint).filter(
    (standing) => !succeeded.some(({ no }) => no === standing.no),
  );
  refuseCovered(checkpoint, inTheWay);
  // Numbered here: others may have been added since it was written.
  const no = tables.checkpoints.insert(session.no, { ...checkpoint, archive_index: session.checkpointCount });
  for (const one of succeeded) {
    tables.checkpoints.end(one.no, succession?.as ?? 'folded', succession?.at ?? 0, no);
    if (succession?.as === 'replaced') refold(tables, one, { no, checkpoint });
  }
  tables.sessions.save({ ...session, checkpointCount: session.checkpointCount + 1 });
}

/**
 * As they were exported, oldest first; those that are known stay as they are. What another session has is left out, and
 * with it what is made of it. Must run in one transaction.
 * @throws EngineError `checkpoint_conflict` when something else stands for a part of the range of one that stands
 */
export function importCheckpoints(
  tables: WriteTables,
  checkpoints: readonly StoredCheckpoint[],
  sessionUid: string,
): void {
  const { no } = requireSession(tables.sessions, sessionUid);
  const isNew = newOnes(tables, checkpoints, no);
  for (const { checkpoint, end } of isNew) {
    if (end === undefined) {
      refuseCovered(checkpoint, overlapping(tables, no, checkpoint));
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
    if (!end || end.state === 'dissolved' || !own || successor?.sessionNo !== no) continue;
    // What is known under this id here need not be what the transcript has.
    if (isSuccessor(successor.checkpoint, checkpoint, end.state)) {
      tables.checkpoints.end(own.no, end.state, end.at, successor.no);
    }
  }
}

/** In the order in which they came. Ids are of one checkpoint each, whatever session it is of. */
function newOnes(
  tables: WriteTables,
  checkpoints: readonly StoredCheckpoint[],
  sessionNo: number,
): readonly StoredCheckpoint[] {
  const isNew = new Set<string>();
  const isHere = (id: string): boolean => isNew.has(id) || tables.checkpoints.find(id)?.sessionNo === sessionNo;
  for (const { checkpoint } of [...checkpoints].sort((a, b) => a.checkpoint.level - b.checkpoint.level)) {
    const { checkpoint_id: id, parent_checkpoint_ids: parents } = checkpoint;
    if (!tables.checkpoints.find(id) && parents.every(isHere)) isNew.add(id);
  }
  return checkpoints.filter(({ checkpoint }) => isNew.has(checkpoint.checkpoint_id));
}

/**
 * Its turns are raw again, or the checkpoints that it was made of stand again: those of its own session that lie in its
 * range, none over another. Must run in one transaction.
 */
export function dissolveCheckpoint(tables: WriteTables, checkpointId: string, at: number): void {
  const { checkpoint, no, sessionNo } = requireStanding(tables, checkpointId, 'dissolved');
  tables.checkpoints.end(no, 'dissolved', at, undefined);
  const folded = tables.checkpoints.foldedInto(no).filter((one) => one.sessionNo === sessionNo);
  // In the order in which it names them, as a preview finds them.
  const candidates = checkpoint.parent_checkpoint_ids.flatMap((id) => {
    const row = folded.find((one) => one.checkpoint.checkpoint_id === id);
    return row ? [{ ...row.checkpoint, no: row.no }] : [];
  });
  for (const one of standingAgain(checkpoint, candidates)) {
    if (overlapping(tables, sessionNo, one).length === 0) tables.checkpoints.stand(one.no);
  }
}

/**
 * A dissolved or replaced checkpoint stands again, in the place of what stands for the same range or of what it was
 * made of. Must run in one transaction.
 * @throws EngineError `checkpoint_conflict` when something else stands for a part of its range.
 */
export function restoreCheckpoint(tables: WriteTables, checkpointId: string, at: number): void {
  const found = requireCheckpoint(tables, checkpointId);
  const { checkpoint, end } = found;
  if (end?.state !== 'dissolved' && end?.state !== 'replaced') throw wrongState(checkpoint, end, 'restored');
  const standing = overlapping(tables, found.sessionNo, checkpoint);
  const isParent = (one: CheckpointRow): boolean => isSuccessor(checkpoint, one.checkpoint, 'folded');
  const others = inTheWayOf(
    checkpoint,
    standing.map((one) => one.checkpoint),
  );
  if (others.length > 0) throw alreadyCovered(checkpoint, others);
  for (const one of standing) {
    tables.checkpoints.end(one.no, isParent(one) ? 'folded' : 'replaced', at, found.no);
    if (!isParent(one)) refold(tables, one, found);
  }
  tables.checkpoints.stand(found.no);
}

/** What the replaced one was made of, the new one is made of, as far as it says so. */
function refold(tables: WriteTables, from: CheckpointRow, to: Pick<CheckpointRow, 'no' | 'checkpoint'>): void {
  for (const { no, checkpoint, end } of tables.checkpoints.foldedInto(from.no)) {
    if (end && isSuccessor(to.checkpoint, checkpoint, 'folded')) tables.checkpoints.end(no, 'folded', end.at, to.no);
  }
}

function requireCheckpoint(tables: WriteTables, checkpointId: string): CheckpointRow {
  const found = tables.checkpoints.find(checkpointId);
  if (found) return found;
  throw new EngineError('unknown_checkpoint', `There is no checkpoint ${JSON.stringify(checkpointId.slice(0, 200))}.`);
}

function requireStanding(tables: WriteTables, checkpointId: string, wish: CheckpointWish): CheckpointRow {
  const found = requireCheckpoint(tables, checkpointId);
  if (found.end === undefined) return found;
  throw wrongState(found.checkpoint, found.end, wish);
}

function overlapping(tables: WriteTables, sessionNo: number, one: CompactCheckpoint): readonly CheckpointRow[] {
  return tables.checkpoints.standing(sessionNo, one.epoch).filter(({ checkpoint }) => isOverlapping(checkpoint, one));
}

function refuseCovered(checkpoint: CompactCheckpoint, others: readonly CheckpointRow[]): void {
  if (others.length === 0) return;
  throw alreadyCovered(
    checkpoint,
    others.map((one) => one.checkpoint),
  );
}

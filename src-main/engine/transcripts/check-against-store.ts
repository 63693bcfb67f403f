import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { isOverlapping, isSuccessor } from '../../../src-shared/model/checkpoint-succession.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { TranscriptCheckpoint } from './check-checkpoints.ts';
import { invalidLine, quoted } from './invalid-line.ts';

/**
 * That the checkpoints of a transcript can be taken in beside those that are stored.
 * @param session undefined while it is not stored
 * @throws EngineError `checkpoint_conflict` when something else stands here for a part of the range of one that stands;
 * `import_invalid` naming the line of one whose successor is neither in the transcript nor of this session
 */
export async function checkAgainstStore(
  store: Pick<SessionStore, 'findCheckpoint' | 'standingCheckpoints'>,
  session: SessionRow | undefined,
  checkpoints: readonly TranscriptCheckpoint[],
): Promise<void> {
  const byEpoch = new Map<number, readonly CompactCheckpoint[]>();
  const ids = new Set(checkpoints.map(({ checkpoint }) => checkpoint.checkpoint_id));
  for (const { line, checkpoint, end } of checkpoints) {
    if (end?.by !== undefined && !ids.has(end.by)) {
      const successor = await store.findCheckpoint(end.by);
      const isHere = successor !== undefined && successor.sessionUid === session?.uid;
      if (!isHere || end.state === 'dissolved' || !isSuccessor(successor.checkpoint, checkpoint, end.state)) {
        throw invalidLine(line, `a checkpoint ${end.state} by ${quoted(end.by)}, which is none of this session`);
      }
    }
    if (end !== undefined || session === undefined || (await store.findCheckpoint(checkpoint.checkpoint_id))) continue;
    const { epoch } = checkpoint;
    const standing = byEpoch.get(epoch) ?? (await store.standingCheckpoints(session.uid, epoch));
    byEpoch.set(epoch, standing);
    const others = standing.filter((one) => isOverlapping(one, checkpoint));
    if (others.length > 0)
      throw conflict(
        checkpoint.checkpoint_id,
        others.map((one) => one.checkpoint_id),
      );
  }
}

function conflict(id: string, others: readonly string[]): EngineError {
  return new EngineError(
    'checkpoint_conflict',
    `The checkpoint ${quoted(id)} of the transcript stands for turns that ${others.join(', ')} stands for here. ` +
      'Nothing was imported: dissolve that first, or give the transcript another session_id in its first line.',
    { details: { checkpoint_ids: others } },
  );
}

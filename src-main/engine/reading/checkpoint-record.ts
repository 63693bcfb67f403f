import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import type { StoredCheckpoint } from '../ports/session-store.ts';

/** A checkpoint as the reading routes show it. */
export function checkpointRecord({ checkpoint, end }: StoredCheckpoint): CheckpointRecord {
  if (end === undefined) return { ...checkpoint, state: 'stands' };
  return {
    ...checkpoint,
    state: end.state,
    ended_at: new Date(end.at).toISOString(),
    ...(end.by === undefined ? {} : { ended_by: end.by }),
  };
}

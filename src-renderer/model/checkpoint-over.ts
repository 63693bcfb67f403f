import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';

/**
 * The checkpoints that stood for turns of a range when a call was made: made before it and not ended yet. What was
 * restored since is not told apart from what never ended.
 */
export function checkpointsOver(
  checkpoints: readonly CheckpointRecord[],
  range: { readonly from: number; readonly to: number },
  at: string,
): readonly CheckpointRecord[] {
  const time = Date.parse(at);
  return checkpoints
    .filter(({ source_turn_range: source, committed_at, ended_at }) => {
      const touches = source.start_sequence <= range.to && range.from <= source.end_sequence;
      const stood = Date.parse(committed_at) <= time && (ended_at === undefined || Date.parse(ended_at) > time);
      return touches && stood;
    })
    .toSorted((a, b) => a.source_turn_range.start_sequence - b.source_turn_range.start_sequence);
}

/** The id of the checkpoint that a URI names. */
export function checkpointIdOf(uri: string | undefined): string | undefined {
  const id = uri?.match(/\/checkpoint\/([^/?#]+)$/)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
}

import type { CompactCheckpoint } from '../../src-shared/model/checkpoint.ts';

export interface CheckpointFigures {
  /** Tokens freed; negative when the context grew. */
  readonly saved: number;
  /** Tokens after per token before; undefined when there was nothing before. */
  readonly ratio: number | undefined;
  readonly grew: boolean;
  readonly turns: number;
  readonly lost: number;
}

/** What a compaction achieved. Freeing nothing counts as growth: the work and the loss were for nothing. */
export function checkpointFigures(
  checkpoint: Pick<CompactCheckpoint, 'tokens_before' | 'tokens_after' | 'source_turn_range' | 'identifiers_lost'>,
): CheckpointFigures {
  const { tokens_before: before, tokens_after: after, source_turn_range: range } = checkpoint;
  return {
    saved: before - after,
    ratio: before > 0 ? after / before : undefined,
    grew: after >= before,
    turns: Math.max(0, range.end_sequence - range.start_sequence + 1),
    lost: checkpoint.identifiers_lost.length,
  };
}

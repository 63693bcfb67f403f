import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';

export interface CondensingRule {
  /** Length of a run; 0 never folds. */
  readonly count: number;
  /** Newest checkpoints that stand by themselves: what was said lately deserves its own summary. */
  readonly keptApart: number;
  /** Whatever their levels are: one summary that rolls on. */
  readonly acrossLevels?: boolean;
}

/**
 * The oldest run of neighbouring checkpoints of one level that is long enough to be folded into one of the next level.
 * With runs of n, a conversation of m checkpoints has about n · log_n(m) summaries standing instead of m.
 * @param standing the one of the newest turns first
 * @param unfolded ids of those that somebody took out of a higher level; they are not folded again
 * @returns oldest first; undefined when there is no such run
 */
export function chooseCondensing(
  standing: readonly CompactCheckpoint[],
  { count, keptApart, acrossLevels = false }: CondensingRule,
  unfolded: ReadonlySet<string>,
): readonly CompactCheckpoint[] | undefined {
  if (count < 2) return undefined;
  const oldestFirst = standing.slice(keptApart).reverse();
  let run: CompactCheckpoint[] = [];
  for (const checkpoint of oldestFirst) {
    const last = run.at(-1);
    if (unfolded.has(checkpoint.checkpoint_id)) {
      run = [];
      continue;
    }
    const goesOn = last !== undefined && (acrossLevels || last.level === checkpoint.level) && isNext(last, checkpoint);
    run = goesOn ? [...run, checkpoint] : [checkpoint];
    if (run.length === count) return run;
  }
  return undefined;
}

/** Nothing raw lies between them. */
function isNext(a: CompactCheckpoint, b: CompactCheckpoint): boolean {
  return b.source_turn_range.start_sequence === a.source_turn_range.end_sequence + 1;
}

import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';

/** Which turns summaries stand for. Between them may be turns that somebody made raw again. */
export class Coverage {
  readonly #through: number;
  readonly #ranges: readonly CompactCheckpoint['source_turn_range'][];
  /** Turns up to this sequence are all covered. */
  readonly after: number;

  /**
   * @param through turns up to here are before the epoch, or in the host's own summary
   * @param checkpoints those that stand, in any order
   */
  constructor(through: number, checkpoints: readonly CompactCheckpoint[]) {
    this.#through = through;
    this.#ranges = checkpoints
      .map((checkpoint) => checkpoint.source_turn_range)
      .sort((a, b) => a.start_sequence - b.start_sequence);
    let after = through;
    for (const { start_sequence: start, end_sequence: end } of this.#ranges) {
      if (start <= after + 1) after = Math.max(after, end);
    }
    this.after = after;
  }

  covers(sequence: number): boolean {
    if (sequence <= this.#through) return true;
    return this.#ranges.some((range) => range.start_sequence <= sequence && sequence <= range.end_sequence);
  }
}

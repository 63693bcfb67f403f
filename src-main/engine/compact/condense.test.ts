import { describe, expect, it } from 'vitest';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { chooseCondensing } from './condense.ts';

/** Beside the two newest; what somebody unfolded is named by its first turn. */
function choose(standing: readonly CompactCheckpoint[], count: number, unfolded: readonly number[] = []) {
  return chooseCondensing(standing, { count, keptApart: 2 }, new Set(unfolded.map(String)));
}

/** As much of a checkpoint as the choice looks at. */
function one(start: number, end: number, level = 0): CompactCheckpoint {
  // The rest of it plays no part here.
  return {
    level,
    checkpoint_id: String(start),
    source_turn_range: { start_sequence: start, end_sequence: end },
  } as CompactCheckpoint;
}

/** `count` neighbours of ten turns each, the newest first. */
function row(count: number, level = 0): CompactCheckpoint[] {
  return Array.from({ length: count }, (_, index) => one(index * 10 + 1, index * 10 + 10, level)).reverse();
}

const starts = (chosen: readonly CompactCheckpoint[] | undefined) =>
  chosen?.map(({ source_turn_range: range }) => range.start_sequence);

describe('what is folded', () => {
  it('is nothing until there is a run beside the two newest', () => {
    expect(choose(row(5), 4)).toBeUndefined();
    expect(starts(choose(row(6), 4))).toEqual([1, 11, 21, 31]);
  });

  it('is the oldest run, oldest first', () => {
    expect(starts(choose(row(20), 3))).toEqual([1, 11, 21]);
  });

  it('is of one level', () => {
    const mixed = [
      ...row(5, 0).map(({ source_turn_range: r }) => one(r.start_sequence + 100, r.end_sequence + 100)),
      one(1, 100, 1),
    ];
    expect(starts(choose(mixed, 3))).toEqual([101, 111, 121]);
    expect(choose([...mixed.slice(0, 4), mixed[5] as CompactCheckpoint], 3)).toBeUndefined();
  });

  it('has no raw turns between its parts', () => {
    const hole = row(8).filter(({ source_turn_range: range }) => range.start_sequence !== 21);
    expect(choose(hole, 4)).toBeUndefined();
    expect(starts(choose(hole, 3))).toEqual([31, 41, 51]);
  });

  it('has none in it that somebody took out of a higher level', () => {
    expect(starts(choose(row(9), 3, [21]))).toEqual([31, 41, 51]);
    expect(choose(row(6), 3, [21])).toBeUndefined();
  });

  it('is one summary that rolls on, whatever the levels, where the rule says so', () => {
    const rolling = { count: 2, keptApart: 0, acrossLevels: true };
    expect(starts(chooseCondensing([one(11, 20, 0), one(1, 10, 3)], rolling, new Set()))).toEqual([1, 11]);
  });

  it('is nothing where condensing is off', () => {
    expect(choose(row(50), 0)).toBeUndefined();
    expect(choose(row(50), 1)).toBeUndefined();
  });
});

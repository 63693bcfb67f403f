import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it('doubles the longest wait from one second on, up to ten minutes', () => {
  const longest = [1, 2, 3, 4, 10, 11, 12, 2_000].map((attempt) => backoffMs(attempt, 1));
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 512_000, 600_000, 600_000, 600_000]);
});

it('waits any share of it, down to nothing', () => {
  expect([0, 0.25, 0.999].map((random) => backoffMs(3, random))).toEqual([0, 1_000, 3_996]);
});

import { expect, it } from 'vitest';
import { RunCalls } from './run-calls.ts';

it('forgets the oldest runs, and then goes by the newest call', () => {
  const runs = new RunCalls();
  for (let run = 0; run < 1_500; run += 1) runs.seen(`run-${run}`, `call-${run}`);
  expect(runs.callOf('run-1499', 1, 'newest')).toBe('call-1499');
  expect(runs.callOf('run-0', 1, 'newest')).toBe('newest');
  expect(runs.callOf(undefined, 1, 'newest')).toBe('newest');
});

it('a run that is seen again keeps its call', () => {
  const runs = new RunCalls();
  runs.seen('run', 'first');
  runs.seen('run', 'second');
  expect(runs.callOf('run', 1, 'second')).toBe('first');
  expect(runs.callOf('run', 3, 'second')).toBe('second');
});

import { expect, it } from 'vitest';
import { RunCalls } from './run-calls.ts';

it('forgets the oldest runs, and then says nothing of them', () => {
  const runs = new RunCalls();
  for (let run = 0; run < 1_500; run += 1) runs.seen(`run-${run}`, `call-${run}`);
  expect(runs.callOf('run-1499')).toBe('call-1499');
  expect(runs.callOf('run-0')).toBeUndefined();
});

it('a run that is seen again keeps its call', () => {
  const runs = new RunCalls();
  runs.seen('run', 'first');
  runs.seen('run', 'second');
  expect(runs.callOf('run')).toBe('first');
});

it('a call belongs to one run', () => {
  const runs = new RunCalls();
  runs.seen('run-1', 'call');
  runs.seen('run-2', 'call');
  expect(runs.callOf('run-2')).toBeUndefined();
});

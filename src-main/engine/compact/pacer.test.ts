import { expect, it } from 'vitest';
import { Pacer } from './pacer.ts';

/** Keeps the event loop for so long (ms). */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('counts what another step worked without a pause, so that steps with pacers of their own do not add up', async () => {
  await new Pacer().pause();
  work(10);
  expect(new Pacer().isDue()).toBe(true);
});

it('takes the pause of one step for the pause of all', async () => {
  const before = new Pacer();
  work(10);
  await new Pacer().pause();
  expect(before.isDue()).toBe(false);
});

it('lets what waits be done in a pause', async () => {
  let isDone = false;
  setImmediate(() => (isDone = true));
  work(10);
  await new Pacer().pauseIfDue();
  expect(isDone).toBe(true);
});

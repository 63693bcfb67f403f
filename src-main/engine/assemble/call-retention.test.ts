import { describe, expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { userMessage } from '../testing/messages.ts';
import { assemble } from './testing/assemble-session.ts';
import { wrapped } from './testing/wrapped-store.ts';

async function callTimes(fixture: EngineFixture, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await assemble(fixture, { messages: [userMessage('a', 1)] });
}

describe('S66: retention.calls', () => {
  it('keeps that many calls: the first of a process removes what is too much, and then one in 500', async () => {
    const fixture = await openEngineFixture({ config: { retention: { calls: 5 } } });
    await callTimes(fixture, 12);
    await fixture.reopen();
    await callTimes(fixture, 1);
    await expect.poll(async () => (await fixture.send('sessions', {})).items[0]?.call_count).toBe(5);
    expect(fixture.logLines).toContainEqual({
      level: 'info',
      message: 'old calls were removed',
      fields: { removed: 8, kept: 5 },
    });
  });

  it('looks once in 500 calls, one at a time', async () => {
    const asked: number[] = [];
    const fixture = await openEngineFixture({
      config: { retention: { calls: 7 } },
      wrapStore: wrapped(() => ({
        addCall: () => Promise.resolve(),
        findCall: () => Promise.resolve(undefined),
        pruneCalls: (keep) => {
          asked.push(keep);
          return Promise.resolve(0);
        },
      })),
    });
    const body = { session_id: 's', format: 'openclaw' as const, messages: [userMessage('a', 1)] };
    for (let number = 0; number < 1_001; number += 1) await fixture.send('assemble', { body });
    await expect.poll(() => asked).toEqual([7, 7, 7]);
  });

  it('a failure is logged, and costs nothing', async () => {
    const fixture = await openEngineFixture({
      wrapStore: wrapped(() => ({ pruneCalls: () => Promise.reject(new Error('locked')) })),
    });
    await callTimes(fixture, 2);
    await expect
      .poll(() => fixture.logLines)
      .toContainEqual({ level: 'warn', message: 'old calls could not be removed', fields: { message: 'locked' } });
  });

  it('closing waits for it', async () => {
    let isDone = false;
    const fixture = await openEngineFixture({
      wrapStore: wrapped(() => ({
        pruneCalls: async () => {
          await new Promise((resolve) => setTimeout(resolve, 30));
          isDone = true;
          return 0;
        },
      })),
    });
    await callTimes(fixture, 1);
    await fixture.engine.close();
    expect(isDone).toBe(true);
  });
});

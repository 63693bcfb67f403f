import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

interface Numbers {
  readonly input: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** A message at the clock's present time, the clock then being one millisecond further. */
function now(fixture: EngineFixture, message: HostMessage, usage?: Numbers): HostMessage {
  const timestamp = fixture.clock.now();
  fixture.clock.advance(1);
  const counted = usage && { output: 12, cacheRead: 0, cacheWrite: 0, totalTokens: usage.input + 12, ...usage };
  return { ...message, timestamp, ...(counted ? { usage: counted } : {}) };
}

async function call(fixture: EngineFixture): Promise<string> {
  const { reply } = await assemble(fixture, { messages: [userMessage('live', 1)], model: 'm' });
  fixture.clock.advance(1);
  return reply.call_id;
}

async function usageOf(fixture: EngineFixture, id: string) {
  return (await fixture.send('call', { params: { id } })).usage;
}

/** A run with one tool call, as hosts of September 2026 make it: one call more before the first of the model. */
async function toolRun(fixture: EngineFixture) {
  const question = now(fixture, userMessage('read it', 0));
  const extra = await call(fixture);
  const first = await call(fixture);
  const asks = now(fixture, toolCallMessage('c1', 0), { input: 100, cacheRead: 900, cacheWrite: 50 });
  const result = now(fixture, toolResultMessage('c1', 'text', 0));
  const second = await call(fixture);
  const answer = now(fixture, assistantMessage('read', 0), { input: 30, cacheRead: 1_000 });
  return { extra, first, second, messages: [question, asks, result, answer] };
}

async function tellSum(fixture: EngineFixture, run: string, modelCalls: number): Promise<void> {
  const event = { type: 'usage' as const, ...mainSession, run_id: run, input: 130, cache_read: 1_900, cache_write: 50 };
  await fixture.send('hostEvents', { body: { events: [{ ...event, model_calls: modelCalls }] } });
}

describe('S45: a run of several model calls', () => {
  it('has each call shown with what the provider counted for it: prompt = cached + fresh', async () => {
    const fixture = await openEngineFixture();
    const { extra, first, second, messages } = await toolRun(fixture);
    await commit(fixture, messages);
    await fixture.engine.close();
    expect(await usageOf(fixture, extra)).toBeUndefined();
    expect(await usageOf(fixture, first)).toMatchObject({ input: 100, cache_read: 900, prompt_tokens: 1_050 });
    expect(await usageOf(fixture, second)).toMatchObject({ input: 30, cache_read: 1_000, prompt_tokens: 1_030 });
  });

  it('never shows the sum as the count of one call, whichever comes first', async () => {
    for (const sumFirst of [true, false]) {
      const fixture = await openEngineFixture();
      const run = await toolRun(fixture);
      const seen = { type: 'turn_seen' as const, ...mainSession, run_id: 'run-1' };
      await fixture.send('hostEvents', { body: { events: [seen] } });
      if (sumFirst) await tellSum(fixture, 'run-1', 2);
      await commit(fixture, run.messages);
      await fixture.engine.close();
      if (!sumFirst) await tellSum(fixture, 'run-1', 2);
      const shown = await usageOf(fixture, run.second);
      expect(shown).toMatchObject({ prompt_tokens: 1_030 });
      expect(shown).not.toHaveProperty('sum_of_model_calls');
    }
  });

  it('corrects our counts by its first call alone: later the host added results that no call counted', async () => {
    const fixture = await openEngineFixture();
    const { messages } = await toolRun(fixture);
    await commit(fixture, messages);
    await fixture.engine.close();
    const samples = await fixture.store.calibrationSamples('m', 10);
    expect(samples.map(({ provider }) => provider)).toEqual([1_050]);
  });

  it('is matched when each step is handed over by itself, as older hosts do', async () => {
    const fixture = await openEngineFixture();
    const { first, second, messages } = await toolRun(fixture);
    for (const message of messages) {
      await fixture.send('afterTurn', { body: { ...mainSession, format: 'openclaw', messages: [message] } });
    }
    await fixture.engine.close();
    expect((await usageOf(fixture, first))?.prompt_tokens).toBe(1_050);
    expect((await usageOf(fixture, second))?.prompt_tokens).toBe(1_030);
  });
});

describe('an answer of the model', () => {
  it('is matched with nothing where the clocks of host and daemon differ', async () => {
    const fixture = await openEngineFixture();
    const ids: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const question = now(fixture, userMessage(`read ${run}`, 0));
      // The daemon's clock is ahead: it sees the host ask while the model answers already.
      fixture.clock.advance(1_500);
      ids.push(await call(fixture));
      fixture.clock.advance(-1_000);
      const asks = now(fixture, toolCallMessage(`c${run}`, 0), { input: 100 });
      fixture.clock.advance(2_000);
      const result = now(fixture, toolResultMessage(`c${run}`, 'text', 0));
      await commit(fixture, [question, asks, result]);
    }
    await fixture.engine.close();
    for (const id of ids) expect(await usageOf(fixture, id)).toBeUndefined();
  });

  it('that was made without a call of ours is put beside none', async () => {
    const fixture = await openEngineFixture();
    const before = await call(fixture);
    const question = now(fixture, userMessage('past us', 0));
    const answer = now(fixture, assistantMessage('yes', 0), { input: 70 });
    const after = await call(fixture);
    await commit(fixture, [question, answer]);
    await fixture.engine.close();
    expect(await usageOf(fixture, before)).toBeUndefined();
    expect(await usageOf(fixture, after)).toBeUndefined();
  });

  it('that failed, or says nothing of what it cost, is put beside none', async () => {
    const fixture = await openEngineFixture();
    const question = now(fixture, userMessage('a', 0));
    const failed = await call(fixture);
    const { usage: _none, ...silent } = assistantMessage('b', 0);
    const nothing = now(fixture, silent);
    const zero = await call(fixture);
    const zeros = now(fixture, assistantMessage('c', 0), { input: 0 });
    const odd = await call(fixture);
    const strange = { ...now(fixture, assistantMessage('d', 0)), usage: { input: 'many', cacheRead: Number.NaN } };
    await commit(fixture, [question, nothing, zeros, strange]);
    await fixture.engine.close();
    for (const id of [failed, zero, odd]) expect(await usageOf(fixture, id)).toBeUndefined();
  });

  it('that waited in the spool finds its call among many that came after it', async () => {
    const fixture = await openEngineFixture();
    const question = now(fixture, userMessage('a', 0));
    const own = await call(fixture);
    const answer = now(fixture, assistantMessage('b', 0), { input: 55 });
    for (let later = 0; later < 120; later += 1) await call(fixture);
    await commit(fixture, [question, answer]);
    await fixture.engine.close();
    expect((await usageOf(fixture, own))?.prompt_tokens).toBe(55);
  });

  it('is stored also when what it cost cannot be', async () => {
    const fixture = await openEngineFixture({
      wrapStore: (store) => Object.assign(store, { addUsage: () => Promise.reject(new Error('no room')) }),
    });
    const { messages } = await toolRun(fixture);
    await commit(fixture, messages);
    await fixture.engine.close();
    expect((await fixture.send('sessions', {})).items[0]?.turn_count).toBe(4);
    expect(fixture.logLines.map(({ message }) => message)).toContain('usage_not_recorded');
  });

  it('S20: is stored without waiting for what comes after storing', async () => {
    const letGo: (() => void)[] = [];
    const fixture = await openEngineFixture({
      wrapStore: (store) =>
        Object.assign(store, { addUsage: () => new Promise<boolean>((resolve) => letGo.push(() => resolve(false))) }),
    });
    const { messages } = await toolRun(fixture);
    // It never comes while the commit is answered.
    await commit(fixture, messages);
    expect((await fixture.send('sessions', {})).items[0]?.turn_count).toBe(4);
    letGo.forEach((go) => go());
  });
});

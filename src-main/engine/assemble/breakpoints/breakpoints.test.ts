import { describe, expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture, type SentInput } from '../../testing/engine-fixture.ts';
import { conversation, mainSession } from '../../testing/messages.ts';

type Rule = NonNullable<SentInput<'putBreakpoint'>['body']>;

const put = (fixture: EngineFixture, body: Rule) => fixture.send('putBreakpoint', { params: { id: 'one' }, body });

/** A call that leaves older messages out. */
const call = (fixture: EngineFixture, deadline_ms = 30_000) =>
  fixture.send('assemble', {
    body: {
      ...mainSession,
      ...{ format: 'openclaw', messages: [...conversation(20)], history: 'full', token_budget: 200, deadline_ms },
    },
  });

const paused = async (fixture: EngineFixture) => (await fixture.send('breakpoints', {})).paused;

describe('a rule that pauses calls', () => {
  it('holds a call whose answer is ready until somebody lets it go on', async () => {
    const fixture = await openEngineFixture();
    const rule = await put(fixture, { when: { type: 'free_below', tokens: 10_000 }, timeout_ms: 60_000 });
    expect(rule).toMatchObject({ breakpoint_id: 'one', hits: 0, enabled: true });
    let isAnswered = false;
    const answer = call(fixture).finally(() => (isAnswered = true));
    await expect.poll(() => paused(fixture), { timeout: 20_000 }).toHaveLength(1);
    expect(isAnswered).toBe(false);
    expect((await fixture.send('health', {})).breakpoints).toEqual({ active: 1, paused: 1 });
    const [held] = await paused(fixture);
    // It is on record already, so that a person can look at it.
    expect((await fixture.send('call', { params: { id: held?.call_id ?? '' } })).trace.call_id).toBe(held?.call_id);
    expect(fixture.events).toContainEqual(expect.objectContaining({ type: 'call.paused', call_id: held?.call_id }));
    expect(await fixture.send('resumeBreakpoint', { params: { id: 'one' }, body: {} })).toEqual({ resumed: 1 });
    expect((await answer).degraded).toBeUndefined();
    expect(fixture.events).toContainEqual(expect.objectContaining({ type: 'call.resumed', by: 'person' }));
    expect((await fixture.send('breakpoints', {})).items).toMatchObject([{ hits: 1 }]);
  }, 60_000);

  it('lets it go on by itself when its time is up, and before the call’s own deadline', async () => {
    const fixture = await openEngineFixture();
    await put(fixture, { when: { type: 'item_dropped', item: 'host:*' }, timeout_ms: 100 });
    expect((await call(fixture)).degraded).toBeUndefined();
    await put(fixture, { when: { type: 'item_dropped', item: 'host:*' }, timeout_ms: 60_000 });
    expect((await call(fixture, 5_000)).degraded).toBeUndefined();
    const by = fixture.events.flatMap((event) => (event.type === 'call.resumed' ? [event.by] : []));
    expect(by).toEqual(['timeout', 'timeout']);
  }, 60_000);

  it('holds nothing that does not match, of another session, or when it is off or removed', async () => {
    const fixture = await openEngineFixture();
    const rules: Rule[] = [
      { when: { type: 'item_dropped', item: 'checkpoint:*' } },
      { when: { type: 'slot_over', kind: 'summary' } },
      { when: { type: 'free_below', tokens: 10_000 }, session_uid: 'another' },
      { when: { type: 'free_below', tokens: 10_000 }, enabled: false },
    ];
    for (const rule of rules) {
      await put(fixture, { ...rule, timeout_ms: 20_000 });
      await call(fixture);
    }
    expect(await fixture.send('deleteBreakpoint', { params: { id: 'one' } })).toEqual({ removed: true, resumed: 0 });
    await call(fixture);
    expect(fixture.events.filter(({ type }) => type === 'call.paused')).toEqual([]);
  }, 60_000);

  it('that is removed lets its calls go on', async () => {
    const fixture = await openEngineFixture();
    await put(fixture, { when: { type: 'free_below', tokens: 10_000 }, timeout_ms: 60_000 });
    const answer = call(fixture);
    await expect.poll(() => paused(fixture), { timeout: 20_000 }).toHaveLength(1);
    expect(await fixture.send('deleteBreakpoint', { params: { id: 'one' } })).toEqual({ removed: true, resumed: 1 });
    expect((await answer).degraded).toBeUndefined();
  }, 60_000);
});

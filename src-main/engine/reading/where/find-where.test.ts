import { describe, expect, it } from 'vitest';
import { assemble, commit } from '../../assemble/testing/assemble-session.ts';
import { indexed } from '../../assemble/testing/with-memory.ts';
import { openEngineFixture } from '../../testing/engine-fixture.ts';
import { assistantMessage, mainSession, userMessage } from '../../testing/messages.ts';

const history = Array.from({ length: 24 }, (_, index) => {
  const number = index + 1;
  const secret = number === 3 ? 'The marmalade stands behind the blue lantern. ' : '';
  return [
    userMessage(`${secret}Please look at part ${number} of src/part-${number}.ts.`, number * 10),
    assistantMessage(`Part ${number} has a counter that starts at ${number}.`, number * 10 + 5),
  ];
}).flat();

describe('where did it go?', () => {
  it('from the log over the window that left it out to the last call that had it', async () => {
    const fixture = await openEngineFixture({ config: { assemble: { deadline_ms: 20_000 } } });
    for (let at = 0; at < history.length; at += 2) await commit(fixture, history.slice(at, at + 2));
    const whole = await assemble(fixture, { messages: history, token_budget: 20_000 });
    const small = await assemble(fixture, { messages: history, token_budget: 600 });
    await assemble(fixture, { messages: history, token_budget: 600 });
    await expect
      .poll(async () => (await fixture.parts.memoryIndex.state()).turns, { timeout: 20_000 })
      .toBe(history.length);
    const reply = await fixture.send('where', { body: { query: 'marmalade behind the lantern' } });
    const [hit] = reply.hits;
    expect(hit).toMatchObject({ source: 'turn', sequence: 5, role: 'user' });
    expect(hit?.snippet).toContain('blue lantern');
    expect(hit?.steps.map(({ stage, state }) => `${stage} ${state}`)).toEqual([
      'log kept',
      'window lost',
      'window kept',
    ]);
    expect(hit?.lost_at).toBe(1);
    expect(hit?.steps[1]).toMatchObject({ calls: 2, reason: 'over_budget' });
    expect(hit?.last_seen).toMatchObject({ call_id: whole.trace.call_id, as: 'turn', item: 'turn:5' });
    expect(small.trace.output.some(({ item }) => item === 'turn:5')).toBe(false);
    expect(reply.looked_at).toMatchObject({ calls: 3 });
    expect((await fixture.send('where', { body: { query: 'the blue lantern', exact: true } })).hits).toHaveLength(1);
    expect((await fixture.send('where', { body: { query: 'the red lantern', exact: true } })).hits).toEqual([]);
  }, 120_000);

  it('names the checkpoint that says nothing of it', async () => {
    const fixture = await openEngineFixture({ config: { assemble: { deadline_ms: 20_000 } } });
    for (let at = 0; at < history.length; at += 2) await commit(fixture, history.slice(at, at + 2));
    await fixture.send('compact', { body: { ...mainSession, trigger: 'manual', force: true, token_budget: 1_500 } });
    await assemble(fixture, { messages: history, token_budget: 2_000 });
    await indexed(fixture);
    await expect
      .poll(async () => (await fixture.parts.memoryIndex.state()).turns, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(history.length);
    const { uid } = (await fixture.store.lookUpSessions(mainSession.session_id))[0] ?? { uid: '' };
    const { hits } = await fixture.send('where', { body: { query: 'counter starts', session_uid: uid } });
    const old = hits.find(({ steps }) => steps.some(({ stage }) => stage === 'checkpoint'));
    const checkpoint = old?.steps.find(({ stage }) => stage === 'checkpoint');
    expect(checkpoint).toMatchObject({ checkpoint_state: 'stands' });
    const lost = checkpoint?.state === 'kept' ? undefined : old?.steps.indexOf(checkpoint ?? old.steps[0] ?? never());
    expect(old?.lost_at).toBe(lost);
  }, 120_000);
});

function never(): never {
  throw new Error('there is no step');
}

import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit, said } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { assistantMessage, exchange, mainSession, userMessage } from '../testing/messages.ts';

/** The copy of an answer that OpenClaw puts into its transcript when the answer went out over a channel. */
function mirror(text: string, at: number, model = 'delivery-mirror'): HostMessage {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
  return { ...assistantMessage(text, at), api: 'openai-responses', provider: 'openclaw', model, usage };
}

describe('S16: the copy of an answer that went out over a channel', () => {
  const mirrored = mirror('Answer 1', 12);

  it('is kept in the log, as the transcript has it, and never sent to the model', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    await logSteps(fixture).bootstrap([...exchange(1), mirrored, mirror('⚙️ Compacted', 13, 'gateway-injected')]);
    expect(await logSteps(fixture).messages()).toHaveLength(4);
    const window = await assemble(fixture, { messages: [userMessage('now', 90)], history: 'window' });
    expect(window.messages.map(said)).toEqual(['Question 1', 'Answer 1', 'now']);
    const full = await assemble(fixture, { messages: [...exchange(1), mirrored, userMessage('now', 90)] });
    expect(full.messages.map(said)).toEqual(['Question 1', 'Answer 1', 'now']);
  });

  it('is stored once, however often the transcript is replayed', async () => {
    const fixture = await openEngineFixture();
    const log = logSteps(fixture);
    const transcript = [...exchange(1), mirrored];
    await log.bootstrap(transcript);
    await fixture.reopen();
    expect(await log.bootstrap(transcript, { transcript: 'reset' })).toMatchObject({ imported: 0, skipped: 3 });
    expect(await log.messages()).toEqual(transcript);
  });

  it('is told from an answer of a model that has that name', async () => {
    const fixture = await openEngineFixture();
    const real = { ...mirrored, provider: 'somebody' };
    const call = await assemble(fixture, { messages: [userMessage('a', 1), real, userMessage('b', 90)] });
    expect(call.messages.map(said)).toEqual(['a', 'Answer 1', 'b']);
  });

  it('is not told of in a summary, nor is anything else that the host hides from the model', async () => {
    const fixture = await openEngineFixture();
    const hidden = { role: 'custom', content: 'internal state REF-80023', excludeFromContext: true };
    for (let number = 1; number <= 20; number += 1) {
      const long = userMessage(`Order ORD-10${number}: ${'packed and sent on its way. '.repeat(20)}`, number * 10);
      const copy = mirror(`Notice REF-4711${number}`, number * 10 + 2, 'gateway-injected');
      const timestamp = long['timestamp'];
      await commit(fixture, [long, assistantMessage('Noted.', number * 10 + 1), copy, { ...hidden, timestamp }]);
    }
    await fixture.send('compact', { body: { ...mainSession, force: true, trigger: 'manual' } });
    const { items } = await fixture.send('sessionCheckpoints', { params: { id: mainSession.session_id } });
    const told = JSON.stringify(items);
    expect(told).toContain('ORD-101');
    expect(told).not.toContain('REF-');
  });
});

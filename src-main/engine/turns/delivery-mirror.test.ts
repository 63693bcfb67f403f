import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit, said } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { assistantMessage, exchange, userMessage } from '../testing/messages.ts';

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
});

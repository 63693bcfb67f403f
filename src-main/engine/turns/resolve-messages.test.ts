import { describe, expect, it } from 'vitest';
import { messageKeyText, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { conversation, exchange, userMessage } from '../testing/messages.ts';

const refTo = (message: HostMessage): { ref: string } => ({ ref: sha256(messageKeyText(message)) });

async function opened() {
  const fixture = await openEngineFixture();
  return { fixture, log: logSteps(fixture) };
}

describe('references', () => {
  it('stand for bodies that came with an earlier call, also before a restart', async () => {
    const { fixture, log } = await opened();
    await log.ingest(conversation(2));
    await fixture.reopen();
    const other = logSteps(fixture, { session_id: 'session-2', session_key: 'agent:main:other' });
    await other.commit('a', conversation(2).map(refTo));
    expect(await other.messages()).toEqual(conversation(2));
  });

  it('give the body that was stored, byte for byte, whatever the host calls the same message', async () => {
    const { log } = await opened();
    const message = { ...userMessage('hello', 1), __openclaw: { senderIsOwner: true } };
    await log.ingest([message]);
    const other = { ...message, __openclaw: undefined };
    expect((await log.commit('a', [refTo(other)])).stored).toBe(0);
  });

  it('that are unknown are named by their positions, all at once, and nothing is stored', async () => {
    const { log } = await opened();
    await log.ingest(exchange(1));
    const [question, answer] = exchange(1);
    const messages = [
      { ref: 'no key at all' },
      refTo(question),
      refTo(userMessage('never sent', 2)),
      exchange(2)[0],
      refTo(answer),
      { ref: `${'A'.repeat(64)}` },
    ];
    await expect(log.commit('a', messages)).rejects.toMatchObject({
      code: 'unknown_messages',
      details: { indexes: [0, 2, 5] },
    });
    expect(await log.messages()).toEqual(exchange(1));
    expect((await log.commit('a', [question, ...exchange(2)])).status).toBe('committed');
  });

  it('to a message of this very request are unknown: bodies are known once they are stored', async () => {
    const { log } = await opened();
    const [question] = exchange(1);
    await expect(log.commit('a', [question, refTo(question)])).rejects.toMatchObject({ details: { indexes: [1] } });
  });

  it('in a first request of a session make no session when they are unknown', async () => {
    const { log } = await opened();
    for (const call of [log.after, log.ingest, log.bootstrap]) {
      await expect(call([refTo(userMessage('x', 1))])).rejects.toMatchObject({ code: 'unknown_messages' });
    }
    expect(await log.find()).toBeUndefined();
  });

  it('are told from messages that happen to have a field of that name', async () => {
    const { log } = await opened();
    const message = { role: 'user', content: 'see', ref: 'a'.repeat(64), timestamp: 1_000 };
    await log.commit('a', [message]);
    expect(await log.messages()).toEqual([message]);
    await expect(log.commit('b', [{ ref: 5 }])).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

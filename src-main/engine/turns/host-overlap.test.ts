import { describe, expect, it } from 'vitest';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { assistantMessage, exchange, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

/**
 * A turn of host 2026.8.2 with tools, as recorded: it calls afterTurn in the loop, shows the user's message there as
 * it holds it in memory (a later time, a list of parts), and commits the turn with the message of its transcript.
 */
const inMemory = { ...userMessage('', 20.6), content: [{ type: 'text', text: 'Read it.' }] };
const inTranscript = userMessage('Read it.', 20);
const call = toolCallMessage('call_15', 20.7);
const result = toolResultMessage('call_15', 'found', 20.8);
const answer = assistantMessage('It says so.', 20.9);
const committed = [inTranscript, call, result, answer];

async function opened() {
  const fixture = await openEngineFixture();
  return { fixture, log: logSteps(fixture) };
}

describe('a host that calls afterTurn and commitTurn for one turn', () => {
  it('S07: is stored once where its plugin shows the user’s message as in the transcript', async () => {
    const { log } = await opened();
    await log.after([...exchange(1), inTranscript]);
    await log.after([call, result]);
    const reply = await log.commit('a', committed);
    expect(reply).toMatchObject({ status: 'committed', stored: 1 });
    expect(await log.messages()).toEqual([...exchange(1), ...committed]);
  });

  it('knows tool calls again whose ids the host changes on the way (call_15, call15)', async () => {
    const { log } = await opened();
    await log.after([inTranscript, toolCallMessage('call15', 20.7), toolResultMessage('call15', 'found', 20.8)]);
    expect((await log.commit('a', committed)).stored).toBe(1);
  });

  it('is retried after a restart of both without a second row', async () => {
    const { fixture, log } = await opened();
    await log.after([inTranscript, call, result]);
    await log.commit('a', committed);
    await fixture.reopen();
    await log.after([inTranscript, call, result]);
    expect((await log.commit('a', committed)).status).toBe('duplicate');
    expect(await log.messages()).toEqual(committed);
  });

  it('that gives one message two times says two messages: the log goes by the host’s identity, never by equal text', async () => {
    const { log } = await opened();
    await log.after([inMemory, call, result]);
    await log.commit('a', committed);
    expect(await log.messages()).toEqual([inMemory, call, result, inTranscript, answer]);
  });

  it('S14: interleaved with a catch-up stores each message once', async () => {
    const { log } = await opened();
    await Promise.all([
      log.after([inTranscript, call, result]),
      log.commit('a', committed),
      log.bootstrap(committed, { entry_ids: ['e1', 'e2', 'e3', 'e4'] }),
    ]);
    expect(new Set((await log.messages()).map((message) => JSON.stringify(message))).size).toBe(4);
    expect(await log.records()).toHaveLength(4);
  });
});

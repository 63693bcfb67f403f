import { describe, expect, it } from 'vitest';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import {
  assistantMessage,
  conversation,
  exchange,
  toolCallMessage,
  toolResultMessage,
  userMessage,
} from '../testing/messages.ts';

async function opened() {
  const fixture = await openEngineFixture();
  return { fixture, log: logSteps(fixture) };
}

const toolTurn = [
  userMessage('Read it.', 1),
  toolCallMessage('call_1', 2),
  toolResultMessage('call_1', 'found', 3),
  assistantMessage('It says so.', 4),
];

describe('commit-turn', () => {
  it('S01, S21: stores every message before it answers, both roles and tool results, in order', async () => {
    const { fixture, log } = await opened();
    const reply = await log.commit('a', toolTurn);
    expect(reply).toEqual({ status: 'committed', turn_ids: ['turn_1', 'turn_2', 'turn_3', 'turn_4'], stored: 4 });
    await fixture.reopen();
    expect(await log.messages()).toEqual(toolTurn);
    const records = await log.records();
    expect(records.map(({ turn }) => [turn.sequence, turn.role])).toEqual([
      [1, 'user'],
      [2, 'assistant'],
      [3, 'tool'],
      [4, 'assistant'],
    ]);
    expect(records.map((record) => record.advancement_key)).toEqual(['a', 'a', 'a', 'a']);
  });

  it('S21: keeps a message with which the user steered in the middle of a turn', async () => {
    const { log } = await opened();
    const steered = [...toolTurn.slice(0, 3), userMessage('No, the other file.', 3.5), ...toolTurn.slice(3)];
    await log.commit('a', steered);
    expect(await log.messages()).toEqual(steered);
  });

  it('answers the same key again with the same ids, also after the store was reopened, and stores nothing', async () => {
    const { fixture, log } = await opened();
    const first = await log.commit('a', toolTurn);
    expect(await log.commit('a', toolTurn)).toEqual({ ...first, status: 'duplicate', stored: 0 });
    await fixture.reopen();
    expect(await log.commit('a', toolTurn)).toEqual({ ...first, status: 'duplicate', stored: 0 });
    expect(await log.messages()).toHaveLength(4);
  });

  it('takes a payload for the same that differs only in what the host rewrites', async () => {
    const { log } = await opened();
    await log.commit('a', toolTurn);
    const rewritten = toolTurn.map((message) => ({ ...message, usage: { input: 0 }, __openclaw: { runId: 'other' } }));
    expect((await log.commit('a', rewritten)).status).toBe('duplicate');
    expect(await log.messages()).toEqual(toolTurn);
  });

  it('refuses another payload under a known key, and changes nothing', async () => {
    const { fixture, log } = await opened();
    await log.commit('a', toolTurn, { token_budget: 1_000, model: 'm' });
    const before = await log.find();
    fixture.events.length = 0;
    fixture.clock.advance(60_000);
    const other = [...toolTurn, userMessage('More.', 9)];
    await expect(log.commit('a', other, { token_budget: 2_000 })).rejects.toMatchObject({
      code: 'advancement_conflict',
      details: { advancement_key: 'a' },
    });
    expect(await log.find()).toEqual(before);
    expect(await log.messages()).toEqual(toolTurn);
    expect(fixture.events).toEqual([]);
  });

  it('is atomic: a message that cannot be read leaves nothing behind, not even the session', async () => {
    const { log } = await opened();
    await expect(log.commit('a', [...toolTurn, { content: 'no role' }])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { index: 4 },
    });
    expect(await log.find()).toBeUndefined();
    expect((await log.commit('a', toolTurn)).status).toBe('committed');
  });

  it('keeps turns apart in which the user says the same again', async () => {
    const { log } = await opened();
    await log.commit('a', [userMessage('yes', 1), assistantMessage('Done.', 2)]);
    await log.commit('b', [userMessage('yes', 3), assistantMessage('Done.', 4)]);
    expect(await log.messages()).toHaveLength(4);
  });

  it('stores a message twice that the host names twice in one turn', async () => {
    const { log } = await opened();
    const yes = userMessage('yes', 1);
    await log.commit('a', [yes, yes]);
    expect(await log.messages()).toEqual([yes, yes]);
    expect((await log.commit('a', [yes, yes])).status).toBe('duplicate');
    expect((await log.after([yes, yes])).stored).toBe(0);
  });

  it('keeps openai messages, which have neither time nor id, by their place in the advancement', async () => {
    const { log } = await opened();
    const said = [
      { role: 'user', content: 'yes' },
      { role: 'assistant', content: 'Done.' },
    ];
    await log.commit('a', said, { format: 'openai' });
    expect((await log.commit('a', said, { format: 'openai' })).status).toBe('duplicate');
    await log.commit('b', said, { format: 'openai' });
    expect(await log.messages()).toEqual([...said, ...said]);
  });

  it('S44: remembers budget and model of the newest turn that named them', async () => {
    const { log } = await opened();
    await log.commit('a', exchange(1), { token_budget: 1_000_000, model: 'big' });
    await log.commit('b', exchange(2));
    expect(await log.find()).toMatchObject({ last_budget: 1_000_000, last_model: 'big' });
  });

  it('marks turns that the host started by itself', async () => {
    const { log } = await opened();
    await log.commit('a', [userMessage('[OpenClaw heartbeat poll]', 1)], { is_heartbeat: true });
    expect((await log.records()).map((record) => record.is_heartbeat)).toEqual([true]);
  });

  it('announces what was stored, once', async () => {
    const { fixture, log } = await opened();
    const { turn_ids: turnIds } = await log.commit('a', exchange(1));
    await log.commit('a', exchange(1));
    const session = await log.find();
    expect(fixture.events.filter((event) => event.type === 'turns.committed')).toEqual([
      {
        type: 'turns.committed',
        session_uid: session?.session_uid,
        session_id: 'session-1',
        turn_ids: turnIds,
        last_sequence: 2,
      },
    ]);
  });

  it('keeps the order of arrival when the clocks of host and machine go back', async () => {
    const { fixture, log } = await opened();
    await log.commit('a', [userMessage('first', 100)]);
    fixture.clock.advance(-86_400_000);
    await log.commit('b', [userMessage('second', 50)]);
    expect((await log.messages()).map(({ content }) => content)).toEqual(['first', 'second']);
    expect((await log.commit('a', [userMessage('first', 100)])).status).toBe('duplicate');
  });

  it('stores the turn with an estimate of its tokens when the tokenizer fails', async () => {
    const broken = { ...createInlineTokenizer(), count: () => Promise.reject(new Error('no tokenizer')) };
    const fixture = await openEngineFixture({ tokenizer: () => broken });
    const log = logSteps(fixture);
    const message = userMessage('What was decided about the database?', 1);
    await log.commit('a', [message]);
    const [record] = await log.records();
    expect(record?.tokens).toBe(estimateCharacters(String(message['content'])) + 20);
    expect(fixture.logLines).toEqual([
      { level: 'warn', message: 'turns_estimated', fields: { turns: 1, cause: 'Error: no tokenizer' } },
    ]);
  });
});

describe('after-turn', () => {
  it('S07: stores a turn once, however often it is called', async () => {
    const { fixture, log } = await opened();
    await log.after(toolTurn);
    const second = await log.after(toolTurn);
    expect(second).toEqual({ status: 'committed', turn_ids: ['turn_1', 'turn_2', 'turn_3', 'turn_4'], stored: 0 });
    await fixture.reopen();
    expect((await log.after(toolTurn)).stored).toBe(0);
    expect(await log.messages()).toEqual(toolTurn);
  });

  it('S18: a replay of older messages before the new ones adds only the new ones', async () => {
    const { log } = await opened();
    await log.after(conversation(3));
    expect((await log.after(conversation(3).slice(2))).stored).toBe(0);
    expect((await log.after(conversation(4).slice(2))).stored).toBe(2);
    expect(await log.messages()).toEqual(conversation(4));
  });

  it('S12: a first turn whose answer was not there yet is complete with the next one', async () => {
    const { fixture, log } = await opened();
    const [question, answer] = exchange(1);
    await log.after([question]);
    await fixture.reopen();
    await log.after([question, answer, ...exchange(2)]);
    expect(await log.messages()).toEqual(conversation(2));
  });

  it('S13, S86: goes on after a restart in the middle of a session, and every row is still there', async () => {
    const { fixture, log } = await opened();
    await log.after(conversation(2));
    const before = await log.records();
    await fixture.reopen();
    await log.after(exchange(3));
    const records = await log.records();
    expect(records.slice(0, 4)).toEqual(before);
    expect(await log.messages()).toEqual(conversation(3));
  });

  it('S11: stores the same messages in each session that has them', async () => {
    const fixture = await openEngineFixture();
    const main = logSteps(fixture);
    const others = [
      { session_id: 'session-1', session_key: 'agent:main:telegram:1' },
      { session_id: 'session-2', session_key: 'agent:main:main' },
      { session_id: 'session-1', session_key: 'agent:main:main', user_id: 'somebody' },
      { session_id: 'session-1', session_key: 'agent:main:main', agent_id: 'other' },
    ].map((session) => logSteps(fixture, session));
    await main.after(exchange(1));
    for (const other of others) expect((await other.after(exchange(1))).stored).toBe(2);
    expect((await fixture.send('sessions', {})).items.map((session) => session.turn_count)).toEqual([2, 2, 2, 2, 2]);
  });

  it('and commit-turn of the same messages store them once, and the commit names all of them', async () => {
    const { log } = await opened();
    const { turn_ids: seen } = await log.after(toolTurn.slice(0, 3));
    const committed = await log.commit('a', toolTurn);
    expect(committed.stored).toBe(1);
    expect(committed.turn_ids.slice(0, 3)).toEqual(seen);
    expect(await log.messages()).toEqual(toolTurn);
    expect((await log.commit('a', toolTurn)).turn_ids).toEqual(committed.turn_ids);
  });

  it('takes openai messages, which have neither time nor id, for new each time: equal texts are not one message', async () => {
    const { log } = await opened();
    const said = [{ role: 'user', content: 'yes' }];
    await log.after(said, { format: 'openai' });
    await log.after(said, { format: 'openai' });
    expect(await log.messages()).toEqual([...said, ...said]);
  });

  it('knows openai messages again where the client gives them times', async () => {
    const { log } = await opened();
    const said = [{ role: 'user', content: 'yes', timestamp: 1_000 }];
    await log.after(said, { format: 'openai' });
    expect((await log.after(said, { format: 'openai' })).stored).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { messageKeyText, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { toJson } from '../prepared-json.ts';
import { sha256 } from '../hash.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import {
  assistantMessage,
  conversation,
  exchange,
  mainSession,
  startTime,
  toolCallMessage,
  toolResultMessage,
  userMessage,
} from '../testing/messages.ts';
import { assemble, commit, decisionOf, decisions, said } from './testing/assemble-session.ts';

const long = (text: string, count = 400): string => `${text} `.repeat(count);

describe('what is sent', () => {
  it('S36: keeps messages of the host that are not in the store, behind what is', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    const live = [userMessage('and the third?', 50), assistantMessage('thinking about it', 51)];
    const call = await assemble(fixture, { history: 'window', messages: live });
    expect(call.messages.map(said)).toEqual(['Question 1', 'Answer 1', 'and the third?', 'thinking about it']);
    expect(decisionOf(call, 'host:0').reason).toBe('live_not_stored');
  });

  it('S36: a store that is behind loses none of the host’s own messages', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(1));
    const host = [...conversation(4), userMessage('now', 90)];
    const call = await assemble(fixture, { messages: host });
    expect(call.messages).toEqual(host);
  });

  it('S29: sends the newest message of the host when nothing else fits, even when it alone is too large', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(3));
    const newest = userMessage(long('read this'), 100);
    const call = await assemble(fixture, { messages: [...conversation(3), newest], token_budget: 200 });
    expect(call.messages).toHaveLength(1);
    expect(said(call.messages[0])).toMatch(/^read this .*characters left out.* read this $/s);
    expect(call.trace.estimated_tokens).toBeLessThanOrEqual(200);
    expect(decisionOf(call, 'host:6')).toMatchObject({ action: 'trimmed', reason: 'oversized_newest' });
  });

  it('cuts the large result of the newest tool loop, and not the call or the question', async () => {
    const fixture = await openEngineFixture();
    const host = [
      userMessage('what is in it?', 1),
      toolCallMessage('call_1', 2),
      toolResultMessage('call_1', long('data', 4_000), 3),
    ];
    const call = await assemble(fixture, { messages: host, token_budget: 600 });
    expect(call.messages.slice(0, 2)).toEqual(host.slice(0, 2));
    expect(call.messages[2]).toMatchObject({ role: 'toolResult', toolCallId: 'call_1' });
    expect(said(call.messages[2])).toContain('characters left out');
    expect(call.trace.estimated_tokens).toBeLessThanOrEqual(600);
  });

  it('leaves what cannot be cut whole, and takes that much more off what can', async () => {
    const fixture = await openEngineFixture();
    const args = { list: Array.from({ length: 120 }, (_, number) => `file-${number}`) };
    const host = [
      userMessage('go', 1),
      toolCallMessage('call_1', 2, args),
      toolResultMessage('call_1', long('data', 4_000), 3),
    ];
    const call = await assemble(fixture, { messages: host, token_budget: 1_200 });
    expect(call.messages[1]).toEqual(host[1]);
    expect(call.trace.estimated_tokens).toBeLessThanOrEqual(1_200);
  });

  it('S25: starts with the user message that a tool loop answers, when the loop is longer than the window', async () => {
    const fixture = await openEngineFixture();
    const loop = Array.from({ length: 20 }, (_, round) => [
      toolCallMessage(`c${round}`, round * 10 + 5),
      toolResultMessage(`c${round}`, long('x', 60), round * 10 + 6),
    ]).flat();
    const host = [userMessage('do it all', 1), ...loop];
    const call = await assemble(fixture, { messages: host, token_budget: 700 });
    expect(call.messages[0]).toEqual(host[0]);
    expect(call.messages[1]?.['role']).toBe('assistant');
    expect(call.messages.at(-1)).toEqual(host.at(-1));
    expect(decisionOf(call, 'host:0').reason).toBe('anchor_user_turn');
  });

  it('S25: leaves out what stands before the first user message', async () => {
    const fixture = await openEngineFixture();
    const host = [assistantMessage('Welcome!', 1), userMessage('hello', 2), assistantMessage('hi', 3)];
    const call = await assemble(fixture, { messages: host });
    expect(call.messages).toEqual(host.slice(1));
    expect(decisionOf(call, 'host:0').reason).toBe('window_starts_at_user');
  });

  it('S25: looks for the user message of a loop in the log, however long the loop is', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, [userMessage('do it all', 1)]);
    for (let round = 0; round < 120; round += 1) {
      await commit(fixture, [
        toolCallMessage(`c${round}`, round * 10 + 5),
        toolResultMessage(`c${round}`, long('x', 40), round * 10 + 6),
      ]);
    }
    const call = await assemble(fixture, { history: 'window', token_budget: 800 });
    expect(said(call.messages[0])).toBe('do it all');
  });

  it('H15: drops a result without a call and an old call without a result', async () => {
    const fixture = await openEngineFixture();
    const host = [
      toolResultMessage('lost', 'late', 1),
      userMessage('one', 2),
      toolCallMessage('never', 3),
      userMessage('two', 4),
    ];
    const call = await assemble(fixture, { messages: host });
    expect(call.messages.map(said)).toEqual(['one', 'two']);
    expect(decisions(call)).toMatchObject({
      'host:0': 'dropped orphan_tool_result',
      'host:2': 'dropped orphan_tool_call',
    });
  });

  it('keeps an open call at the end only where no prompt of the host follows it', async () => {
    const fixture = await openEngineFixture();
    const host = [userMessage('one', 2), toolCallMessage('open', 3)];
    expect((await assemble(fixture, { messages: host })).messages).toEqual(host);
    expect((await assemble(fixture, { messages: host, prompt: 'go on' })).messages).toEqual(host.slice(0, 1));
  });

  it('S23, S24: pulls a result out of the log to its call, and makes none up', async () => {
    const fixture = await openEngineFixture();
    const [ask, open, result, answer] = [
      userMessage('read it', 1),
      toolCallMessage('call_7', 2),
      toolResultMessage('call7', 'the content', 3),
      assistantMessage('done', 4),
    ];
    await commit(fixture, [ask, open, result, answer]);
    const call = await assemble(fixture, { messages: [ask, open, answer, userMessage('next', 9)] });
    expect(call.messages.map((message) => message['role'])).toEqual([
      'user',
      'assistant',
      'toolResult',
      'assistant',
      'user',
    ]);
    expect(call.messages[2]).toEqual(result);
    const made = await assemble(fixture, {
      messages: [ask, toolCallMessage('other', 2), answer, userMessage('next', 9)],
    });
    expect(made.messages.map((message) => message['role'])).toEqual(['user', 'assistant', 'user']);
  });

  it('puts results beside their calls where something was said between, and ids that are used again to their own call', async () => {
    const fixture = await openEngineFixture();
    const host = [
      userMessage('first', 1),
      toolCallMessage('call_1', 2),
      userMessage('wait, also this', 3),
      toolResultMessage('call_1', 'one', 4),
      toolCallMessage('call_1', 5),
      toolResultMessage('call_1', 'two', 6),
    ];
    const call = await assemble(fixture, { messages: host, reply: 'plan' });
    expect(call.reply.plan).toEqual([0, 1, 3, 2, 4, 5].map((index) => ({ host: index })));
  });

  it('a call that was never answered does not take the result of a later call with its id', async () => {
    const fixture = await openEngineFixture();
    const host = [
      userMessage('first', 1),
      toolCallMessage('call_1', 2),
      userMessage('stopped; again', 3),
      toolCallMessage('call_1', 5),
      toolResultMessage('call_1', 'two', 6),
    ];
    const call = await assemble(fixture, { messages: host, reply: 'plan' });
    expect(call.reply.plan).toEqual([0, 2, 3, 4].map((index) => ({ host: index })));
  });

  it('leaves out blank and excluded messages, and keeps one of an image or an unknown part', async () => {
    const fixture = await openEngineFixture();
    const host: HostMessage[] = [
      userMessage('hello', 1),
      { ...userMessage('', 2), content: [{ type: 'text', text: ' \n' }] },
      { role: 'custom', content: 'internal', excludeFromContext: true, display: false, timestamp: startTime + 3_000 },
      { ...userMessage('', 4), content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      { ...userMessage('', 5), content: [{ type: 'audio', data: 'AAAA' }] },
      { ...userMessage('', 6), content: `${' '.repeat(500)}after much white space` },
      { ...userMessage('', 7), content: '<relevant-memories>likes tea</relevant-memories>' },
    ];
    const call = await assemble(fixture, { messages: host, reply: 'plan' });
    expect(call.reply.plan).toEqual([0, 3, 4, 5, 6].map((index) => ({ host: index })));
    expect(decisions(call)).toMatchObject({
      'host:1': 'dropped blank_content',
      'host:2': 'dropped excluded_from_context',
    });
  });

  it('points at the host’s own messages and leaves them as they are', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(5));
    const host = [...conversation(5), userMessage('now', 90)];
    const call = await assemble(fixture, { messages: host, reply: 'plan' });
    expect(call.reply.plan).toEqual(host.map((_, index) => ({ host: index })));
  });

  it('takes references for bodies it has, and answers the same list', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(3));
    const host = [...conversation(3), userMessage('now', 90)];
    await assemble(fixture, { messages: host });
    const refs = host.map((message) => ({ ref: sha256(messageKeyText(message)) }));
    const call = await assemble(fixture, { messages: refs });
    expect(call.messages).toEqual(host);
  });

  it('names the positions of references that it has never seen', async () => {
    const fixture = await openEngineFixture();
    const messages = [userMessage('known', 1), { ref: 'a'.repeat(64) }, { ref: 'nonsense' }];
    const refused = fixture.send('assemble', { body: { ...mainSession, format: 'openclaw', messages } });
    await expect(refused).rejects.toMatchObject({ code: 'unknown_messages', details: { indexes: [2] } });
    const again = fixture.send('assemble', {
      body: { ...mainSession, format: 'openclaw', messages: messages.slice(0, 2) },
    });
    await expect(again).rejects.toMatchObject({ code: 'unknown_messages', details: { indexes: [1] } });
  });

  it.each([[[0]], [[0, 0]], [[1, 0]]])('refuses indexes %j for two messages', async (indexes) => {
    const fixture = await openEngineFixture();
    const body = { ...mainSession, format: 'openclaw' as const, messages: [...exchange(1)], indexes };
    await expect(fixture.send('assemble', { body })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('answers the same bytes as text and as an object, twice the same', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(5));
    const body = { ...mainSession, format: 'openclaw' as const, messages: [...conversation(5)], token_budget: 3_000 };
    const first = await fixture.send('assemble', { body });
    const second = await fixture.send('assemble', { body });
    expect(JSON.parse(Buffer.from(toJson(first)).toString())).toEqual(JSON.parse(JSON.stringify(first)));
    expect(JSON.stringify(second.messages)).toBe(JSON.stringify(first.messages));
  });
});

describe('messages in OpenAI’s format', () => {
  const openAi = { format: 'openai' as const, session_id: 'o', session_key: '' };

  it('the newest message is new, whatever was said in the same words before', async () => {
    const fixture = await openEngineFixture();
    const said1 = [
      { role: 'user', content: 'ok' },
      { role: 'assistant', content: 'started' },
    ];
    await commit(fixture, said1, openAi);
    const call = await assemble(fixture, { ...openAi, history: 'window', messages: [{ role: 'user', content: 'ok' }] });
    expect(call.messages.map(said)).toEqual(['ok', 'started', 'ok']);
    expect(decisionOf(call, 'host:0').reason).toBe('live_not_stored');
  });

  it('equal words are paired with the stored turns in their order', async () => {
    const fixture = await openEngineFixture();
    const list = ['ok', 'a', 'ok', 'b'].map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    await commit(fixture, list, openAi);
    const call = await assemble(fixture, {
      ...openAi,
      messages: [...list, { role: 'user', content: 'ok' }],
      reply: 'plan',
    });
    const sequences = call.trace.items.map((item) => [item.host_index, item.sequence]);
    expect(sequences.sort()).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, undefined],
    ]);
  });

  it('system messages at the head are always sent; a later one stays where it was said', async () => {
    const fixture = await openEngineFixture();
    const system = { role: 'system', content: 'You are terse.' };
    const turns = Array.from({ length: 30 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: long(`m${at}`, 30),
    }));
    const later = { role: 'developer', content: 'The user is back.' };
    await commit(fixture, [system, ...turns], openAi);
    const messages = [system, ...turns, later, { role: 'user', content: 'hello again' }];
    const call = await assemble(fixture, { ...openAi, messages, token_budget: 500 });
    expect(call.messages[0]).toEqual(system);
    expect(call.messages[1]?.['role']).toBe('user');
    expect(call.messages.slice(-2)).toEqual(messages.slice(-2));
    expect(decisionOf(call, 'turn:1').reason).toBe('host_system_message');
  });

  it('our addition is a system message behind the host’s own', async () => {
    const fixture = await openEngineFixture({ config: { assemble: { standing_instructions: 'Answer in French.' } } });
    const messages = [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: 'hi' },
    ];
    const call = await assemble(fixture, { ...openAi, messages });
    expect(call.messages.map(said)).toEqual(['You are terse.', 'Answer in French.', 'hi']);
    expect(call.reply.system_prompt_addition).toBeUndefined();
  });

  it('blank system messages are left out', async () => {
    const fixture = await openEngineFixture();
    const messages = [
      { role: 'system', content: '' },
      { role: 'user', content: 'hi' },
    ];
    const call = await assemble(fixture, { ...openAi, messages });
    expect(call.messages.map(said)).toEqual(['hi']);
    expect(decisionOf(call, 'host:0').reason).toBe('blank_content');
  });

  it('turns that were stored in the other format are written in this one, and counted as such', async () => {
    const fixture = await openEngineFixture();
    await commit(
      fixture,
      [
        { role: 'user', content: 'look', timestamp: startTime },
        toolCallMessage('call_1', 1),
        toolResultMessage('call_1', 'found', 2),
        { ...userMessage('', 3), content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      ],
      { session_id: 'mixed', session_key: '' },
    );
    const call = await assemble(fixture, {
      format: 'openai',
      session_id: 'mixed',
      session_key: '',
      history: 'window',
      messages: [{ role: 'user', content: 'and?' }],
    });
    expect(call.messages.map((message) => message['role'])).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
    expect(call.messages[1]?.['tool_calls']).toMatchObject([{ id: 'call_1', function: { name: 'read' } }]);
    expect(said(call.messages[3])).toBe('[image]');
  });
});

describe('reasoning', () => {
  const thinking = (model: string): HostMessage => ({
    ...assistantMessage('so', 3),
    model,
    content: [
      { type: 'thinking', thinking: 'hmm', thinkingSignature: 'sig' },
      { type: 'text', text: 'so' },
    ],
  });

  it.each([
    ['fake-model', 2],
    ['provider/fake-model', 2],
    ['other-model', 1],
  ])('S30: a stored answer of fake-model has for %s %i parts', async (model, parts) => {
    const fixture = await openEngineFixture();
    await commit(fixture, [userMessage('why', 2), thinking('fake-model')]);
    const call = await assemble(fixture, { history: 'window', model, messages: [userMessage('next', 9)] });
    expect(call.messages[1]?.['content']).toHaveLength(parts);
  });

  it('S30: a cut copy of an answer of another model has none either, and no signature beside a text it does not fit', async () => {
    const fixture = await openEngineFixture();
    const answer = {
      ...thinking('fake-model'),
      content: [
        { type: 'thinking', thinking: 'hmm', thinkingSignature: 'sig' },
        { type: 'text', text: long('much'), textSignature: 'sig' },
      ],
    };
    const call = await assemble(fixture, {
      messages: [userMessage('go', 1), answer],
      model: 'other-model',
      token_budget: 200,
    });
    const content = call.messages.at(-1)?.['content'] as Record<string, unknown>[];
    expect(content.map((part) => part['type'])).toEqual(['text']);
    expect(content[0]).not.toHaveProperty('textSignature');
  });
});

describe('budgets', () => {
  it('S44: the last budget that the host named counts where a call names none', async () => {
    const fixture = await openEngineFixture();
    await assemble(fixture, { messages: [userMessage('a', 1)], token_budget: 5_000, model: 'm' });
    const { trace } = await assemble(fixture, { messages: [userMessage('a', 1)] });
    expect(trace).toMatchObject({ token_budget: 5_000, budget_source: 'last_seen' });
  });

  it('S44: the default is never taken for a budget that was seen', async () => {
    const fixture = await openEngineFixture({ config: { assemble: { default_token_budget: 9_000 } } });
    await assemble(fixture, { messages: [userMessage('a', 1)] });
    const { trace } = await assemble(fixture, { messages: [userMessage('a', 1)] });
    expect(trace).toMatchObject({ token_budget: 9_000, budget_source: 'default' });
    const { items } = await fixture.send('sessions', {});
    expect(items[0]?.last_budget).toBeUndefined();
  });

  it('S44: a budget that came with a commit is remembered too', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1), { token_budget: 7_000 });
    const { trace } = await assemble(fixture, { messages: [...exchange(1)] });
    expect(trace).toMatchObject({ token_budget: 7_000, budget_source: 'last_seen' });
  });

  it('counts in the measure of the provider once its reports are known, and stays within the budget', async () => {
    const fixture = await openEngineFixture();
    const host = Array.from({ length: 60 }, (_, at) => userMessage(long(`m${at}`, 40), at));
    for (let sample = 1; sample <= 8; sample += 1) {
      const { trace } = await assemble(fixture, {
        messages: host.slice(0, sample * 7),
        model: 'm',
        token_budget: 50_000,
      });
      const own = trace.decisions.reduce((sum, one) => sum + one.tokens_after, 3);
      const event = { type: 'usage' as const, ...mainSession, input: Math.round(own * 1.3) + 900, model_calls: 1 };
      await fixture.send('hostEvents', { body: { events: [event] } });
    }
    for (const budget of [1_000, 3_333, 7_777]) {
      const { trace } = await assemble(fixture, { messages: host, model: 'm', token_budget: budget });
      expect(trace).toMatchObject({ counter: 'calibrated', calibration: { ratio: 1.3, samples: 8 } });
      expect(trace.estimated_tokens).toBeLessThanOrEqual(budget);
      const own = trace.decisions.reduce((sum, one) => sum + one.tokens_after, 0);
      expect(trace.estimated_tokens).toBe(Math.ceil(((own + 3) * 65) / 50));
    }
  });
});

describe('the record', () => {
  it('names the bodies of what was sent, the host’s own included', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(2));
    const { reply } = await assemble(fixture, {
      messages: [...conversation(2), userMessage('live', 90)],
      reply: 'plan',
    });
    const { messages, missing } = await fixture.send('callMessages', { params: { id: reply.call_id } });
    expect(missing).toEqual([]);
    expect(messages.map((entry) => said(entry.message as HostMessage))).toEqual([
      'Question 1', 'Answer 1', 'Question 2', 'Answer 2', 'live',
    ]); // prettier-ignore
  });

  it('is announced, and says what the call was asked', async () => {
    const fixture = await openEngineFixture();
    const { trace, reply } = await assemble(fixture, {
      messages: [userMessage('a', 1)],
      prompt: 'p\ud800',
      model: 'm',
      token_budget: 900,
    });
    expect(trace).toMatchObject({
      prompt_preview: 'p\ufffd',
      model: 'm',
      history: 'full',
      host_message_count: 1,
      strategy: 'strata',
    });
    expect(fixture.events).toContainEqual({
      type: 'call.assembled',
      session_uid: trace.session_uid,
      call_id: reply.call_id,
    });
  });

  it('joins long runs of turns that are left out, and keeps the newest of them one by one', async () => {
    const fixture = await openEngineFixture();
    for (let number = 1; number <= 60; number += 1) await commit(fixture, exchange(number));
    const { trace } = await assemble(fixture, { messages: [...conversation(60)], token_budget: 200 });
    const ranges = trace.items.filter((item) => item.count > 1);
    expect(ranges).toHaveLength(1);
    expect(ranges[0]).toMatchObject({ sequence: 1, role: 'mixed', kind: 'raw_turn' });
    expect(trace.items.reduce((sum, item) => sum + item.count, 0)).toBe(120);
  });
});

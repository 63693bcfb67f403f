import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit, decisionOf, said } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { assistantMessage, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const large = (number: number) =>
  Array.from({ length: 1_200 }, (_, at) => `row ${at} of report ${number}: all is well`).join('\n');

/** A turn of four messages: question, call, result, answer. */
function turn(number: number, result: string | HostMessage = `small ${number}`): readonly HostMessage[] {
  const at = number * 10;
  const message = typeof result === 'string' ? toolResultMessage(`call_${number}`, result, at + 2) : result;
  return [
    userMessage(`question ${number}`, at),
    toolCallMessage(`call_${number}`, at + 1),
    { ...message, toolCallId: `call_${number}`, timestamp: message['timestamp'] },
    assistantMessage(`answer ${number}`, at + 3),
  ];
}

/** Commits turns; the first has a large result, or the one given. */
async function conversed(fixture: EngineFixture, turns: number, result: string | HostMessage = large(1)) {
  const history: HostMessage[] = [];
  for (let number = 1; number <= turns; number += 1) {
    const messages = turn(number, number === 1 ? result : undefined);
    history.push(...messages);
    await commit(fixture, messages);
  }
  return history;
}

const budget = { token_budget: 100_000 };

describe('a large result of an older turn', () => {
  it('is replaced by a synopsis that names the stored turn, on record with its own reason', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 5);
    const call = await assemble(fixture, { ...budget, messages: history });
    const text = said(call.messages[2]);
    expect(text).toMatch(
      /^\[Strata keeps this result of read whole \(\d+ characters\) at strata:\/\/session\/default\/[^/]+\/turn\/3\./,
    );
    expect(text).toContain('memory_expand');
    expect(text.length).toBeLessThan(2_500);
    expect(call.messages[2]).toMatchObject({ role: 'toolResult', toolCallId: 'call_1', isError: false });
    const decision = decisionOf(call, 'turn:3');
    expect(decision).toMatchObject({ action: 'trimmed', reason: 'large_result_old' });
    expect(decision.tokens_before).toBeGreaterThan(10_000);
    expect(decision.tokens_after).toBeLessThan(1_200);
    expect(call.trace.items.find(({ item }) => item === 'turn:3')?.tokens).toBe(decision.tokens_before);
    expect(call.reply.estimated_tokens).toBeLessThan(3_000);
    expect(call.messages.filter((_, at) => at !== 2)).toEqual(history.filter((_, at) => at !== 2));
  });

  it('is found whole at the address that the synopsis names', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 5);
    const call = await assemble(fixture, { ...budget, messages: history });
    const uri = /strata:\/\/[^\s\]]+\/turn\/\d+/.exec(said(call.messages[2]))?.[0] ?? '';
    const reply = await fixture.send('memoryExpand', { body: { uri, max_tokens: 100_000 } });
    expect(reply.turns[0]?.text).toBe(large(1));
  });

  it('comes as a copy in the place of the host’s own message, where the answer is a plan', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 5);
    const { reply } = await assemble(fixture, { ...budget, messages: history, reply: 'plan' });
    expect(reply.plan?.[2]).toMatchObject({ replaces: 2, inline: { toolCallId: 'call_1' } });
    expect(reply.plan?.filter((entry) => 'inline' in entry)).toHaveLength(1);
  });

  it('stays whole among the newest recent_raw_turn_count turns', async () => {
    for (const recent_raw_turn_count of [1, 4, 8]) {
      const fixture = await openEngineFixture({ config: { assemble: { recent_raw_turn_count } } });
      const history: HostMessage[] = [];
      for (let number = 1; number <= 12; number += 1) {
        const messages = turn(number, large(number));
        history.push(...messages);
        await commit(fixture, messages);
        const call = await assemble(fixture, { token_budget: 1_000_000, messages: history });
        const newest = history.slice(-recent_raw_turn_count).map((message) => said(message));
        expect(call.messages.slice(-recent_raw_turn_count).map((message) => said(message))).toEqual(newest);
      }
    }
  });

  it('and is whole as long as it is not in the log', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, [userMessage('hello', 1)]);
    const live = Array.from({ length: 12 }, (_, at) => turn(at + 1, large(at + 1))).flat();
    const call = await assemble(fixture, { token_budget: 1_000_000, messages: [userMessage('hello', 1), ...live] });
    expect(call.messages.slice(1)).toEqual(live);
  });

  it('is replaced from the log as well, where the host passes only a window', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 5);
    const call = await assemble(fixture, { ...budget, messages: history.slice(-2), history: 'window' });
    expect(call.messages).toHaveLength(20);
    expect(said(call.messages[2])).toContain('/turn/3');
  });

  it('lets older turns in that would not fit beside it', async () => {
    const fixture = await openEngineFixture();
    const history: HostMessage[] = [];
    for (let number = 1; number <= 30; number += 1) {
      const messages = turn(number, number <= 27 ? large(number) : undefined);
      history.push(...messages);
      await commit(fixture, messages);
    }
    // 27 results of some 14,000 tokens each.
    const whole = await assemble(fixture, { token_budget: 60_000, messages: history });
    expect(whole.messages).toHaveLength(120);
    const part = await assemble(fixture, { token_budget: 60_000, messages: history.slice(-1), history: 'window' });
    expect(part.messages).toHaveLength(120);
  });

  it('stays as it is under the strategy legacy, which is plain truncation', async () => {
    const fixture = await openEngineFixture({ config: { strategy: { default: 'legacy' } } });
    const history = await conversed(fixture, 5);
    expect((await assemble(fixture, { ...budget, messages: history })).messages).toEqual(history);
  });

  it('tool_results.threshold_characters says what is large, tool_results.synopsis_characters how long its synopsis is', async () => {
    const text = 'It all went as planned. '.repeat(100);
    const fixture = await openEngineFixture({
      config: { tool_results: { threshold_characters: 2_000, synopsis_characters: 200 } },
    });
    const history = await conversed(fixture, 5, text);
    const call = await assemble(fixture, { ...budget, messages: history });
    expect(said(call.messages[2]).split('Synopsis: ')[1]?.length).toBeLessThanOrEqual(200);
    const other = await openEngineFixture({ config: { tool_results: { threshold_characters: 2_400 } } });
    expect((await assemble(other, { ...budget, messages: await conversed(other, 5, text) })).messages).toEqual(history);
  });

  it('is written in the format of the caller', async () => {
    const fixture = await openEngineFixture();
    await conversed(fixture, 5);
    const call = await assemble(fixture, { ...budget, format: 'openai', history: 'window' });
    expect(call.messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: expect.stringContaining('/turn/3') as string,
    });
  });
});

describe('never replaced is', () => {
  it.each([
    ['a result of a call that failed', { ...toolResultMessage('a', large(1), 12), isError: true }],
    ['a small result', toolResultMessage('a', 'x '.repeat(4_000), 12)],
    ['what a person wrote', undefined],
  ])('%s', async (_, result) => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 6, result ?? 'ok');
    if (result === undefined) {
      const wrote = [userMessage(large(7), 100), assistantMessage(large(8), 101)];
      for (const messages of [wrote, ...[8, 9, 10, 11].map((number) => turn(number))]) {
        history.push(...messages);
        await commit(fixture, messages);
      }
    }
    expect((await assemble(fixture, { token_budget: 1_000_000, messages: history })).messages).toEqual(history);
  });
});

describe('images in results', () => {
  const pictured: HostMessage = {
    ...toolResultMessage('a', '', 12),
    content: [
      { type: 'text', text: 'the screen' },
      { type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) },
    ],
  };

  it('are kept in the newest turns, and replaced by a note with the address in older ones', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 2, pictured);
    expect((await assemble(fixture, { ...budget, messages: history })).messages).toEqual(history);
    for (const number of [3, 4, 5]) {
      history.push(...turn(number));
      await commit(fixture, turn(number));
    }
    const call = await assemble(fixture, { ...budget, messages: history });
    expect(said(call.messages[2])).toMatch(
      /^the screen\n\[Strata keeps this result of read whole \(10 characters and an image\) at strata:.*\/turn\/3\]$/,
    );
    expect(decisionOf(call, 'turn:3')).toMatchObject({ action: 'trimmed', reason: 'large_result_old' });
    expect(decisionOf(call, 'turn:3').tokens_before).toBeGreaterThan(2_000);
  });
});

describe('S48: the list keeps its prefix', () => {
  it('between two steps of the boundary, what was replaced stays replaced, and a restart changes nothing', async () => {
    const fixture = await openEngineFixture();
    const history: HostMessage[] = [];
    let before: string[] = [];
    let changed = 0;
    const replaced = new Set<string>();
    for (let number = 1; number <= 24; number += 1) {
      if (number === 13) await fixture.reopen();
      const call = await assemble(fixture, { token_budget: 1_000_000, messages: history, prompt: 'next' });
      const list = call.messages.map((message) => JSON.stringify(message));
      if (list.slice(0, before.length).join('\n') !== before.join('\n')) changed += 1;
      const now = call.trace.decisions.filter(({ reason }) => reason === 'large_result_old').map(({ item }) => item);
      expect([...replaced].filter((item) => !now.includes(item))).toEqual([]);
      for (const item of now) replaced.add(item);
      before = list;
      history.push(...turn(number, number % 2 === 1 ? large(number) : undefined));
      await commit(fixture, turn(number, number % 2 === 1 ? large(number) : undefined));
    }
    expect(replaced.size).toBeGreaterThanOrEqual(10);
    // The boundary moves by 8 messages: once in two turns.
    expect(changed).toBeLessThanOrEqual(12);
    expect(changed).toBeGreaterThan(0);
  });

  it('the same call twice is answered with the same bytes, also by an engine that starts anew', async () => {
    const fixture = await openEngineFixture();
    const history = await conversed(fixture, 6);
    const first = await assemble(fixture, { ...budget, messages: history });
    const second = await assemble(fixture, { ...budget, messages: history });
    await fixture.reopen();
    const third = await assemble(fixture, { ...budget, messages: history });
    expect(JSON.stringify(second.messages)).toBe(JSON.stringify(first.messages));
    expect([second.trace.output_hash, third.trace.output_hash]).toEqual([
      first.trace.output_hash,
      first.trace.output_hash,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { assistantMessage, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const identity = { session_id: 'p', session_key: 'agent:main:p', format: 'openclaw' as const };
const budget = 6_000;

/** A turn of four messages of some 130 tokens each. */
function turn(number: number): readonly HostMessage[] {
  const at = number * 10;
  const words = `word${number} `.repeat(40);
  return [
    userMessage(`ask ${words}`, at),
    toolCallMessage(`call_${number}`, at + 1, { query: words }),
    toolResultMessage(`call_${number}`, `found ${words}`, at + 2),
    assistantMessage(`so ${words}`, at + 3),
  ];
}

interface Run {
  /** How many turns began with the list of the turn before. */
  readonly kept: number;
  readonly changed: number;
}

/** Runs turns and holds each list against the one before. */
async function runTurns(
  fixture: EngineFixture,
  count: number,
  call: (history: readonly HostMessage[], number: number) => Record<string, unknown>,
): Promise<Run> {
  const history: HostMessage[] = [];
  let before: string[] = [];
  let addition: string | undefined;
  let kept = 0;
  for (let number = 1; number <= count; number += 1) {
    const body = { ...identity, token_budget: budget, prompt: 'next', available_tools: ['memory_expand'] };
    const given = call(history, number) as { messages: HostMessage[]; history: 'full' | 'window' };
    const reply = await fixture.send('assemble', { body: { ...body, ...given } });
    const list = (reply.messages ?? []).map((message) => JSON.stringify(message));
    if (list.slice(0, before.length).join('\n') === before.join('\n')) kept += 1;
    if (number > 1) expect(reply.system_prompt_addition).toBe(addition);
    addition = reply.system_prompt_addition;
    before = list;
    const messages = [...turn(number)];
    await fixture.send('commitTurn', { body: { ...identity, messages, advancement_key: `t${number}` } });
    history.push(...messages);
  }
  return { kept, changed: count - kept };
}

describe('S48, H27, H28: the list keeps its prefix from turn to turn', () => {
  it('except at steps, where the host passes its whole list', async () => {
    const fixture = await openEngineFixture();
    const run = await runTurns(fixture, 80, (history) => ({ messages: [...history], history: 'full' }));
    // 80 turns of some 520 tokens are 41,600 tokens: the start moves by 1,024 tokens, once in two turns at most.
    expect(run.changed).toBeLessThanOrEqual(40);
    expect(run.kept).toBeGreaterThanOrEqual(40);
  });

  it('also where it describes only what could fit, from another message on each time', async () => {
    const fixture = await openEngineFixture();
    const whole = await runTurns(fixture, 40, (history) => ({ messages: [...history], history: 'full' }));
    const other = await openEngineFixture();
    const part = await runTurns(other, 40, (history, number) => {
      const start = Math.max(0, history.length - 90 - (number % 7));
      const indexes = [0, ...Array.from({ length: history.length - start }, (_, at) => start + at)].filter(
        (index, at) => at === 0 || index > 0,
      );
      const described = history.length === 0 ? [] : indexes;
      return {
        messages: described.flatMap((index) => history[index] ?? []),
        indexes: described,
        host_count: history.length,
        history: 'full',
      };
    });
    expect(part).toEqual(whole);
  });

  it('and where it passes a window of changing length', async () => {
    const fixture = await openEngineFixture();
    const run = await runTurns(fixture, 60, (history, number) => ({
      messages: history.slice(-(number % 9)),
      history: 'window',
    }));
    expect(run.changed).toBeLessThanOrEqual(30);
  });

  it('in a tool loop that outgrows the window, with the user message before it', async () => {
    const fixture = await openEngineFixture();
    const list: HostMessage[] = [userMessage(`do all of it ${'please '.repeat(100)}`, 1)];
    let before: string[] = [];
    let changed = 0;
    const rounds = 120;
    for (let round = 1; round <= rounds; round += 1) {
      const body = { ...identity, token_budget: budget, messages: [...list], history: 'full' as const };
      const reply = await fixture.send('assemble', { body });
      const sent = (reply.messages ?? []).map((message) => JSON.stringify(message));
      if (sent.slice(0, before.length).join('\n') !== before.join('\n')) changed += 1;
      expect(sent[0]).toBe(JSON.stringify(list[0]));
      before = sent;
      list.push(
        toolCallMessage(`c${round}`, round * 10, { step: `step ${round}` }),
        toolResultMessage(`c${round}`, `result ${'data '.repeat(60)}`, round * 10 + 1),
      );
    }
    // 120 rounds of some 110 tokens, in steps of 1,024 once the window is full.
    expect(changed).toBeLessThanOrEqual(16);
  });

  it('and an older open call, rejected messages and heartbeats do not move it', async () => {
    const fixture = await openEngineFixture();
    const run = await runTurns(fixture, 40, (history, number) => ({
      messages: [
        ...history.flatMap((message, at) =>
          at % 11 === 5 ? [message, { ...userMessage('', 5_000 + at), content: '' }] : [message],
        ),
        ...(number % 3 === 0 ? [toolCallMessage(`open${number}`, 9_000)] : []),
      ],
      history: 'full',
    }));
    expect(run.changed).toBeLessThanOrEqual(20);
  });
});

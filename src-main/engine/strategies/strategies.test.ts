import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assemble, commit, decisionOf, decisions, said } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { conversation, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const host = [
  ...conversation(6),
  userMessage('use a tool', 70),
  toolCallMessage('call_1', 71),
  toolResultMessage('call_1', 'result', 72),
  userMessage('now', 90),
];

/** A fixture whose main session runs the strategy of this module. */
async function withModule(code: string): Promise<EngineFixture> {
  const fixture = await openEngineFixture({
    config: {
      strategy: { default: 'mine', modules: { mine: 'strategies/mine.mjs' } },
      assemble: { deadline_ms: 10_000 },
    },
  });
  await writeModule(fixture, code);
  return fixture;
}

async function writeModule(fixture: EngineFixture, code: string): Promise<void> {
  await mkdir(join(fixture.dataDir, 'strategies'), { recursive: true });
  await writeFile(join(fixture.dataDir, 'strategies', 'mine.mjs'), code);
}

const moduleOf = (assembleCode: string, more = ''): string =>
  `export const createContextEngine = () => ({ name: 'mine', assemble(input) { ${assembleCode} }, ${more} });`;

const body = {
  ...mainSession,
  format: 'openclaw' as const,
  messages: [...host],
  history: 'full' as const,
  reply: 'messages' as const,
};

describe('a strategy of one’s own, loaded from a path', () => {
  it('decides what is sent', async () => {
    const fixture = await withModule(
      moduleOf(`
        const all = input.units.flatMap((unit) => unit.members);
        const choices = all.map((candidate, index) => ({
          candidate,
          action: index >= all.length - 3 ? 'included' : 'dropped',
          reason: 'strategy_choice',
          tokensAfter: candidate.tokens,
          scores: { place: index, bad: NaN },
          threshold: 3,
        }));
        return { choices, slots: [{ kind: 'raw_turn', allotted: 100, rule: 'the last three' }] };
      `),
    );
    const call = await assemble(fixture, { messages: host });
    // Three messages are the call, its result and the question; a list begins with a user message all the same.
    expect(call.messages).toEqual(host.slice(-1));
    expect(call.trace.strategy).toBe('mine');
    expect(decisionOf(call, 'host:15')).toMatchObject({ action: 'included', scores: { place: 15 }, threshold: 3 });
    expect(call.trace.slots[0]).toMatchObject({ kind: 'raw_turn', allotted: 100, rule: 'the last three' });
  });

  it('cannot part calls from results, drop what stands or what the host said last, or send what does not fit', async () => {
    const fixture = await openEngineFixture({
      config: {
        strategy: { default: 'mine', modules: { mine: 'strategies/mine.mjs' } },
        assemble: { standing_instructions: 'Be kind.' },
      },
    });
    await writeModule(
      fixture,
      moduleOf(`
        const send = (candidate) => ({ candidate, action: 'included', tokensAfter: 0 });
        const all = input.units.flatMap((unit) => unit.members);
        return { choices: all.slice(0, -1).filter((one) => one.role !== 'tool').map(send), slots: [] };
      `),
    );
    const call = await assemble(fixture, { messages: host });
    expect(call.messages).toEqual([...host.slice(0, 13), ...host.slice(15)]);
    expect(call.reply.system_prompt_addition).toBe('Be kind.');
    expect(decisionOf(call, 'system-addition').action).toBe('included');
    const tight = await assemble(fixture, { messages: host, token_budget: 100 });
    expect(tight.trace.estimated_tokens).toBeLessThanOrEqual(100);
    expect(tight.messages.at(-1)).toEqual(host.at(-1));
    expect(tight.messages[0]?.['role']).toBe('user');
  });

  it('cuts the newest message, or a message that it wants cut', async () => {
    const fixture = await withModule(
      moduleOf(`
        const choices = input.units.flatMap((unit) => unit.members).map((candidate) => ({
          candidate, action: 'trimmed', reason: 'strategy_choice', tokensAfter: 60,
        }));
        return { choices, slots: [] };
      `),
    );
    const messages = [userMessage('first '.repeat(500), 1), userMessage('second '.repeat(500), 2)];
    const call = await assemble(fixture, { messages });
    expect(call.messages.map((message) => said(message).length < 700)).toEqual([true, true]);
    expect(call.trace.decisions.every((decision) => decision.tokens_after <= 60)).toBe(true);
  });

  it('pays for the frame of the summaries it sends', async () => {
    const fixture = await withModule(
      moduleOf(
        `
        const all = [...input.summaries, ...input.units.flatMap((unit) => unit.members)];
        return { choices: all.map((candidate) => ({ candidate, action: 'included', tokensAfter: 0 })), slots: [] };
      `,
        `planCompaction: ({ turns }) => turns.at(-3)?.sequence`,
      ),
    );
    const long = conversation(20).map((message) => ({
      ...message,
      content: `${said(message)} ${'and more '.repeat(20)}`,
    }));
    for (let from = 0; from < long.length; from += 2) await commit(fixture, long.slice(from, from + 2));
    expect(await fixture.send('compact', { body: { ...mainSession, force: true } })).toMatchObject({ compacted: true });
    const call = await assemble(fixture, { messages: long });
    const summary = call.trace.items.findIndex((item) => item.kind === 'summary');
    expect(call.trace.decisions[summary]?.tokens_after).toBeGreaterThan((call.trace.items[summary]?.tokens ?? 0) + 50);
  });

  it.each([
    ['throws', moduleOf(`throw new Error('out of ideas');`), /mine failed: out of ideas/],
    ['answers nothing', moduleOf(`return undefined;`), /must return \{choices, slots\}/],
    [
      'invents a message',
      moduleOf(`return { choices: [{ candidate: { item: 'x' }, action: 'included' }], slots: [] };`),
      /chose x, which was not offered/,
    ],
    [
      'decides twice',
      moduleOf(
        `const candidate = input.units[0].members[0]; const choice = { candidate, action: 'dropped' }; return { choices: [choice, choice], slots: [] };`,
      ),
      /decided twice about host:0/,
    ],
    [
      'decides nonsense',
      moduleOf(`return { choices: [{ candidate: input.units[0].members[0], action: 'perhaps' }], slots: [] };`),
      /decided perhaps about host:0/,
    ],
    [
      'trims to nothing known',
      moduleOf(`return { choices: [{ candidate: input.units[0].members[0], action: 'trimmed' }], slots: [] };`),
      /without saying to how many tokens/,
    ],
    ['exports nothing', 'export const other = 1;', /must export createContextEngine/],
    ['cannot be read', 'export const = ;', /could not be loaded/],
    [
      'fails while it is made',
      `export const createContextEngine = () => { throw new Error('no key'); };`,
      /could not be loaded.*no key/s,
    ],
  ])('that %s costs the agent nothing but our context, and says so', async (_, code, message) => {
    const fixture = await withModule(code);
    const answer = await fixture.send('assemble', { body });
    expect(answer.messages).toEqual(host);
    expect(answer.degraded).toMatchObject({ code: 'strategy_failed' });
    expect(answer.degraded?.message).toMatch(message);
    const { trace } = await fixture.send('call', { params: { id: answer.call_id } });
    expect(trace).toMatchObject({ strategy: 'mine', degraded: { code: 'strategy_failed' } });
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toMatchObject([{ code: 'assemble_degraded' }]);
  });

  it('that never answers ends at the deadline', async () => {
    const fixture = await withModule(moduleOf(`return new Promise(() => undefined);`));
    const answer = await fixture.send('assemble', { body: { ...body, deadline_ms: 100 } });
    expect(answer.messages).toEqual(host);
    expect(answer.degraded?.code).toBe('deadline');
  });

  it('is loaded again once it was mended', async () => {
    const fixture = await withModule('export const = ;');
    expect((await fixture.send('assemble', { body })).degraded?.code).toBe('strategy_failed');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writeModule(fixture, moduleOf(`return { choices: [], slots: [] };`));
    expect((await assemble(fixture, { messages: host })).messages).toEqual(host.slice(-1));
  });

  it('that plans a cut where there is none fails its compaction, and nothing changes', async () => {
    const fixture = await withModule(moduleOf(`return { choices: [], slots: [] };`, `planCompaction: () => 3.5`));
    await commit(fixture, conversation(5));
    const reply = await fixture.send('compact', { body: { ...mainSession, force: true } });
    expect(reply).toMatchObject({ ok: false, compacted: false });
    expect(reply.reason).toMatch(/strategy_failed: .*archive up to 3\.5/);
  });
});

describe('which strategy a session has', () => {
  const config = {
    strategy: {
      default: 'strata',
      agents: { coder: 'legacy' },
      session_kinds: { cron: 'legacy', subagent: 'legacy' },
    },
  };

  it.each([
    ['agent:main:main', 'strata'],
    ['agent:coder:main', 'legacy'],
    ['agent:main:cron:daily', 'legacy'],
    ['agent:main:subagent:1', 'legacy'],
    ['agent:main:telegram:9', 'strata'],
    ['agent:constructor:main', 'strata'],
    ['agent:__proto__:main', 'strata'],
  ])('%s: %s', async (session_key, strategy) => {
    const fixture = await openEngineFixture({ config });
    const call = await assemble(fixture, { session_key, messages: host });
    expect(call.trace.strategy).toBe(strategy);
    const { items } = await fixture.send('sessions', {});
    expect(items[0]?.strategy).toBe(strategy);
  });

  it('one that is not there is named with those that are', async () => {
    const fixture = await openEngineFixture({ config: { strategy: { default: 'toString' } } });
    const answer = await fixture.send('assemble', { body });
    expect(answer.degraded?.message).toContain(
      'There is no strategy "toString"; known are strata, semantic, rolling, long-task, legacy',
    );
  });

  it('a change takes effect with the next turn', async () => {
    const fixture = await openEngineFixture();
    expect((await assemble(fixture, { messages: host })).trace.strategy).toBe('strata');
    fixture.engine.strategies.register('strata', () => ({
      name: 'strata',
      assemble: () => ({ choices: [], slots: [] }),
    }));
    expect((await assemble(fixture, { messages: host })).messages).toEqual(host.slice(-1));
  });
});

describe('legacy', () => {
  it('sends the newest that fit and nothing else', async () => {
    const fixture = await openEngineFixture({ config: { strategy: { default: 'legacy' } } });
    const list = conversation(30);
    const call = await assemble(fixture, { messages: [...list], token_budget: 300 });
    expect(call.messages.length).toBeGreaterThan(8);
    expect(call.messages).toEqual(list.slice(-call.messages.length));
    expect(call.messages[0]?.['role']).toBe('user');
    const next = list.at(-call.messages.length - 2);
    expect(call.trace.estimated_tokens + said(next).length / 3).toBeGreaterThan(260);
  });

  it('does not compact, and leaves checkpoints that another strategy made aside', async () => {
    const fixture = await openEngineFixture();
    const list = conversation(30).map((message) => ({
      ...message,
      content: `${said(message)} ${'and more '.repeat(10)}`,
    }));
    for (let from = 0; from < list.length; from += 2) await commit(fixture, list.slice(from, from + 2));
    await fixture.send('compact', { body: { ...mainSession, force: true, token_budget: 2_000 } });
    fixture.engine.strategies.register('strata', () => fixture.engine.strategies.get('legacy'));
    const call = await assemble(fixture, { messages: list });
    expect(call.messages).toEqual(list);
    expect(call.trace.items.filter((item) => item.kind === 'summary')).toEqual([]);
    const reply = await fixture.send('compact', { body: { ...mainSession, force: true } });
    expect(reply).toMatchObject({ ok: true, compacted: false, reason: 'strategy_does_not_compact' });
  });

  it('keeps the host’s own summary while everything fits', async () => {
    const fixture = await openEngineFixture({ config: { strategy: { default: 'legacy' } } });
    const summary = { role: 'compactionSummary', summary: 'Before: tea.', tokensBefore: 9, timestamp: 1 };
    const list = [summary, ...conversation(10)];
    expect((await assemble(fixture, { messages: list })).messages).toEqual(list);
    const tight = await assemble(fixture, { messages: list, token_budget: 150 });
    expect(decisions(tight)).toMatchObject({ 'host:0': 'dropped over_budget' });
  });
});

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit, type AssembleBody } from '../assemble/testing/assemble-session.ts';
import { openWithRecall, preference, remember } from '../assemble/testing/with-memory.ts';
import type { EngineFixture, SentInput } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const theme = 'strata://user/default/memories/preferences/editor-theme';
const dark = preference('Editor theme', 'The user prefers the dark theme in every editor.');

/** Results are large soon enough for synopses to stand for the old ones. */
const shortResults = { config: { tool_results: { threshold_characters: 2_000, synopsis_characters: 300 } } };

/** An exchange that says something, now and then with a tool and its large result. */
function part(number: number): HostMessage[] {
  const at = number * 10;
  const tool =
    number % 4 === 0
      ? [
          toolCallMessage(`call_${number}`, at + 1),
          toolResultMessage(`call_${number}`, `line ${number}\n`.repeat(900), at + 2),
        ]
      : [];
  return [
    userMessage(`Please look at part ${number} of src/part-${number}.ts. Which editor theme do I prefer?`, at),
    ...tool,
    assistantMessage(
      `Part ${number} has a counter that starts at ${number}; it is mended in src/part-${number}.ts.`,
      at + 5,
    ),
  ];
}

const replay = (fixture: EngineFixture, id: string, body: SentInput<'replay'>['body'] = {}) =>
  fixture.send('replay', { params: { id }, body });

/** Calls of many sorts, while a conversation grows. */
async function recordCalls(fixture: EngineFixture): Promise<AssembleTrace[]> {
  await remember(fixture, theme, dark);
  const history: HostMessage[] = [];
  const traces: AssembleTrace[] = [];
  const call = async (body: Partial<AssembleBody>): Promise<void> => {
    traces.push((await assemble(fixture, body)).trace);
  };
  for (let number = 1; number <= 16; number += 1) {
    const messages = part(number);
    const [question] = messages;
    await call({ messages: [...history, ...(question ? [question] : [])], token_budget: 2_000 });
    await call({
      messages: [...history],
      prompt: `Which editor theme do I prefer in part ${number}?`,
      token_budget: 3_000,
    });
    await call({ messages: history.slice(-3), history: 'window', reply: 'plan', token_budget: 30_000 });
    await call({ messages: [], history: 'window', format: 'openai', available_tools: ['memory_expand'] });
    await commit(fixture, messages);
    history.push(...messages);
    if (number === 13) await compact(fixture);
  }
  return traces;
}

async function compact(fixture: EngineFixture): Promise<void> {
  const body = { ...mainSession, trigger: 'manual', force: true, token_budget: 3_000 } as const;
  expect(await fixture.send('compact', { body })).toMatchObject({ compacted: true });
}

/** Everything that the two databases hold: a hash for each table. */
function hashesOf(fixture: EngineFixture): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const file of ['strata.db', 'index.db']) {
    const db = new Database(join(fixture.dataDir, file), { readonly: true });
    const tables = db
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
      )
      .all();
    for (const { name } of tables) {
      const hash = createHash('sha256');
      for (const row of db.prepare(`SELECT * FROM "${name}"`).raw().iterate()) hash.update(JSON.stringify(row));
      hashes[`${file} ${name}`] = hash.digest('hex');
    }
    db.close();
  }
  return hashes;
}

/** Nothing is written in the background any more. */
async function indexedQuietly(fixture: EngineFixture): Promise<void> {
  let last = '';
  const isQuiet = (): boolean => {
    const now = JSON.stringify(hashesOf(fixture));
    const same = now === last;
    last = now;
    return same;
  };
  await expect.poll(isQuiet, { timeout: 30_000, interval: 500 }).toBe(true);
}

describe('a call that is run again', () => {
  it('comes out byte for byte as it did, also after later turns, a later compaction, changed pages and a restart', async () => {
    const fixture = await openWithRecall(shortResults);
    const traces = await recordCalls(fixture);
    expect(traces.some(({ decisions }) => decisions.some(({ reason }) => reason === 'recalled'))).toBe(true);
    expect(traces.some(({ items }) => items.some(({ kind }) => kind === 'summary'))).toBe(true);
    expect(traces.some(({ decisions }) => decisions.some(({ action }) => action === 'trimmed'))).toBe(true);
    await compact(fixture);
    const { version } = await fixture.send('page', { params: { uri: theme } });
    const content = preference('Editor theme', 'The user prefers the light theme.');
    await fixture.send('savePage', { params: { uri: theme }, body: { content, base_version: version } });
    await fixture.reopen();
    for (const trace of traces) {
      const again = await replay(fixture, trace.call_id);
      expect({ id: trace.call_id, exact: again.exact, notes: again.notes }).toEqual({
        id: trace.call_id,
        exact: true,
        notes: [],
      });
      expect(again.trace.output_hash).toBe(trace.output_hash);
      expect(again.trace.output).toEqual(trace.output);
      expect(again.trace.decisions).toEqual(trace.decisions);
      expect(again.trace.estimated_tokens).toBe(trace.estimated_tokens);
      expect(again.diff.counts).toMatchObject({ changed: 0, moved: 0, added: 0, removed: 0, entered: 0, left: 0 });
      expect(again.diff.prefix).toMatchObject({ identical: true, at: 'nowhere' });
      expect(again.diff.inputs).toEqual([]);
    }
  }, 240_000);

  it('leaves nothing behind: no row, no use of a page, no event, and the next call is as it would have been', async () => {
    const fixture = await openWithRecall(shortResults);
    const traces = await recordCalls(fixture);
    await fixture.engine.jobs.settled();
    await fixture.engine.memory.settled();
    await indexedQuietly(fixture);
    const before = hashesOf(fixture);
    const events = fixture.events.length;
    for (const trace of traces.slice(-4)) {
      await replay(fixture, trace.call_id);
      await replay(fixture, trace.call_id, { token_budget: 400 });
      await replay(fixture, trace.call_id, { strategy: 'legacy', settings: { recall: { min_score: 0.9 } } });
      await replay(fixture, trace.call_id, { exclude: [theme], pins: ['turn:2'] });
    }
    expect(hashesOf(fixture)).toEqual(before);
    expect(fixture.events.slice(events)).toEqual([]);
  }, 240_000);

  it('tells what a smaller budget, another strategy, a threshold and an exclusion would have done', async () => {
    const fixture = await openWithRecall(shortResults);
    const traces = await recordCalls(fixture);
    const trace = traces.at(-3);
    if (!trace) throw new Error('no call');
    const id = trace.call_id;
    const smaller = await replay(fixture, id, { token_budget: 500 });
    expect(smaller).toMatchObject({ changed: true, exact: true });
    expect(smaller.trace.estimated_tokens).toBeLessThanOrEqual(500);
    expect(smaller.diff.inputs).toContainEqual({ field: 'token_budget', before: 3_000, after: 500 });
    expect(smaller.diff.counts.left).toBeGreaterThan(0);
    expect(smaller.diff.tokens.delta).toBe(smaller.trace.estimated_tokens - trace.estimated_tokens);

    const legacy = await replay(fixture, id, { strategy: 'legacy' });
    expect(legacy.trace.strategy).toBe('legacy');
    expect(legacy.diff.entries.some(({ kind, window }) => kind === 'recalled_memory' && window === 'left')).toBe(true);

    const strict = await replay(fixture, id, { settings: { recall: { min_score: 1 } } });
    const memory = strict.diff.entries.find(({ item }) => item === `recall:${theme}`);
    expect(memory).toMatchObject({
      status: 'changed',
      window: 'left',
      after: { reason: 'recall_below_threshold', threshold: 1 },
    });

    const without = await replay(fixture, id, { exclude: [theme] });
    expect(without.trace.output.some(({ item }) => item === `recall:${theme}`)).toBe(false);

    const unknown = await replay(fixture, id, { pins: ['turn:99999'] });
    expect(unknown.notes).toContainEqual(expect.objectContaining({ code: 'not_a_candidate', item: 'turn:99999' }));
    await expect(replay(fixture, id, { strategy: 'no such' })).rejects.toMatchObject({ code: 'strategy_failed' });
    await expect(replay(fixture, 'call_none')).rejects.toMatchObject({ code: 'unknown_call' });
  }, 240_000);

  it('with a pin sends what it left out, within the same budget', async () => {
    const fixture = await openWithRecall();
    const history = Array.from({ length: 8 }, (_, index) => part(index + 1)).flat();
    await commit(fixture, history);
    const { trace } = await assemble(fixture, { messages: history, token_budget: 600 });
    expect(trace.decisions.find(({ item }) => item === 'turn:1')).toMatchObject({ action: 'dropped' });
    const pinned = await replay(fixture, trace.call_id, { pins: ['turn:1'] });
    expect(pinned).toMatchObject({ exact: true, changed: true, notes: [] });
    expect(pinned.diff.entries.find(({ item }) => item === 'turn:1')).toMatchObject({ window: 'entered' });
    expect(pinned.trace.output[0]).toMatchObject({ item: 'turn:1' });
    expect(pinned.trace.estimated_tokens).toBeLessThanOrEqual(600);
  }, 120_000);

  it('of a version that kept no inputs says so, and takes what is of today', async () => {
    const fixture = await openWithRecall(shortResults);
    await commit(fixture, part(1));
    const { trace } = await assemble(fixture, { messages: part(1), prompt: 'Which editor theme do I prefer?' });
    const { inputs: _, ...old } = trace;
    await fixture.store.addCall({ ...old, call_id: 'call_old' }, [], { lastActiveAt: fixture.clock.now() });
    await remember(fixture, theme, dark);
    const again = await replay(fixture, 'call_old');
    expect(again.notes.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['inputs_not_recorded', 'settings_of_today', 'standing_of_today', 'recall_of_today']),
    );
    expect(again.exact).toBe(false);
  }, 60_000);
});

describe('the least budget', () => {
  it('with which an item would have been sent: with one token less it is not', async () => {
    const fixture = await openWithRecall();
    const history = Array.from({ length: 8 }, (_, index) => part(index + 1)).flat();
    await commit(fixture, history);
    const { trace } = await assemble(fixture, { messages: history, token_budget: 600 });
    const id = trace.call_id;
    const item = 'turn:1';
    expect(trace.output.some((entry) => entry.item === item)).toBe(false);
    const least = await fixture.send('minimalBudget', { params: { id }, body: { item } });
    expect(least).toMatchObject({ state: 'found', exact: true, recorded_budget: 600 });
    const budget = least.token_budget ?? 0;
    expect(budget).toBeGreaterThan(600);
    const isSent = async (token_budget: number) =>
      (await replay(fixture, id, { token_budget })).trace.output.some((entry) => entry.item === item);
    expect(await isSent(budget)).toBe(true);
    expect(await isSent(budget - 1)).toBe(false);
    const none = await fixture.send('minimalBudget', { params: { id }, body: { item: 'turn:99999' } });
    expect(none).toMatchObject({ state: 'none', reason: { code: 'not_a_candidate' } });
  }, 120_000);

  it('is looked for down to a recorded budget that is small, not only to half of the first one that does', async () => {
    const fixture = await openWithRecall();
    const history = [...part(1), ...part(2)];
    await commit(fixture, history);
    const { trace } = await assemble(fixture, { messages: history, token_budget: 120 });
    const tried = trace.decisions.filter(({ action, item }) => action === 'dropped' && item.startsWith('turn:'));
    const item = tried.at(-1)?.item ?? '';
    const least = await fixture.send('minimalBudget', { params: { id: trace.call_id }, body: { item } });
    expect(least).toMatchObject({ state: 'found', recorded_budget: 120 });
    const budget = least.token_budget ?? 0;
    expect(budget).toBeLessThan(500);
    const below = await replay(fixture, trace.call_id, { token_budget: budget - 1 });
    expect(below.trace.output.some((entry) => entry.item === item)).toBe(false);
  }, 120_000);
});

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openWithRecall, preference, remember } from '../assemble/testing/with-memory.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { conversation } from '../testing/messages.ts';

const theme = 'strata://user/default/memories/preferences/editor-theme';
const dark = preference('Editor theme', 'The user prefers the dark theme in every editor.');

describe('what a page costs and who used it', () => {
  it('calls that had it, sent or left out, newest first, page by page', async () => {
    const fixture = await openWithRecall();
    await remember(fixture, theme, dark);
    await commit(fixture, conversation(1));
    const prompt = 'Which editor theme do I prefer?';
    const first = await assemble(fixture, { messages: [...conversation(1)], prompt });
    const second = await assemble(fixture, { messages: [...conversation(1)], prompt: `Tell me: ${prompt}` });
    const uses = await fixture.send('pageUses', { params: { uri: theme }, query: { limit: '1' } });
    expect(uses.total).toBe(2);
    expect(uses.items).toMatchObject([{ call_id: second.trace.call_id, action: 'included' }]);
    expect(uses.counts).toEqual({ included: 2, trimmed: 0, dropped: 0 });
    expect(uses.newest_cost).toBeGreaterThan(0);
    const next = await fixture.send('pageUses', { params: { uri: theme }, query: { cursor: uses.next_cursor ?? '' } });
    expect(next.items.map((use) => use.call_id)).toEqual([first.trace.call_id]);
    const dropped = await fixture.send('pageUses', { params: { uri: theme }, query: { action: 'dropped' } });
    expect(dropped).toMatchObject({ items: [], total: 0 });
    await fixture.store.pruneCalls(1);
    expect((await fixture.send('pageUses', { params: { uri: theme } })).total).toBe(1);
  }, 60_000);

  it('calls that were recorded before are looked through by a job, once', async () => {
    const fixture = await openWithRecall();
    await remember(fixture, theme, dark);
    const { trace } = await assemble(fixture, { prompt: 'Which editor theme do I prefer?', messages: [] });
    await fixture.store.addCall({ ...trace, call_id: 'call_before' }, [], { lastActiveAt: 1 });
    expect((await fixture.send('pageUses', { params: { uri: theme } })).total).toBe(1);
    const db = new Database(join(fixture.dataDir, 'strata.db'));
    db.exec("UPDATE meta SET value = (SELECT max(call_no) FROM call) WHERE name = 'calls_without_pages'");
    db.close();
    expect((await fixture.send('pageUses', { params: { uri: theme } })).pending_calls).toBe(2);
    await fixture.reopen();
    const uses = async () => fixture.send('pageUses', { params: { uri: theme } });
    await expect.poll(async () => (await uses()).pending_calls, { timeout: 20_000 }).toBe(0);
    expect((await uses()).items.map((use) => use.call_id)).toEqual(['call_before', trace.call_id]);
  }, 60_000);

  it('tokens of a page as a whole, of its parts, and of each section', async () => {
    const fixture = await openEngineFixture();
    const content = [
      ...[
        '---',
        'title: Parts',
        '---',
        'Before any heading.',
        '',
        '# One',
        'first words',
        '```',
        '# no heading',
        '```',
      ],
      ...['## Two', 'second words', '', '<!-- timeline -->', '- 2026-11-02: said so', ''],
    ].join('\n');
    await fixture.send('savePage', { params: { uri: 'strata://resources/parts' }, body: { content } });
    const { tokens } = await fixture.send('page', { params: { uri: 'strata://resources/parts' } });
    expect(tokens?.sections.map(({ heading, level, line }) => [heading, level, line])).toEqual([
      ['', 0, 4],
      ['One', 1, 6],
      ['Two', 2, 11],
    ]);
    const sum = tokens?.sections.reduce((total, section) => total + section.tokens, 0) ?? 0;
    expect(tokens?.whole).toBeGreaterThan(sum);
    expect(tokens?.truth).toBeGreaterThan(0);
    expect(tokens?.timeline).toBeGreaterThan(0);
  }, 60_000);

  it('the kinds that are known, with their folders and how many pages they have', async () => {
    const fixture = await openEngineFixture();
    await fixture.send('savePage', { params: { uri: theme }, body: { content: dark } });
    const { items } = await fixture.send('kinds', {});
    expect(items.map(({ name }) => name)).toEqual(fixture.parts.kinds.all.map(({ name }) => name));
    expect(items.find(({ name }) => name === 'preference')).toMatchObject({ owner: 'user', pages: 1 });
  }, 60_000);
});

import { describe, expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';
import { queryTerms } from './segment-words.ts';
import type { IndexHit } from '../../ports/memory-index.ts';

const tea = 'strata://user/default/memories/preferences/tea';

async function search(
  fixture: EngineFixture,
  text: string,
  change: { includeInactive?: boolean } = {},
): Promise<readonly IndexHit[]> {
  await fixture.engine.memory.indexing.follower.settled();
  return fixture.parts.memoryIndex.searchText({
    scope: {
      accountId: 'local',
      userId: 'default',
      agentId: 'main',
      sessionUid: undefined,
      otherSessions: true,
      access: 'all',
      labels: undefined,
    },
    terms: queryTerms(text).map((term) => ({ term, weight: 1 })),
    sources: ['page', 'turn', 'checkpoint'],
    includeInactive: false,
    limit: 50,
    ...change,
  });
}

const save = (fixture: EngineFixture, uri: string, truth: string) =>
  fixture.send('savePage', { params: { uri }, body: { title: 'Tea', kind: 'preference', truth } });

const commit = (fixture: EngineFixture, key: string, messages: Record<string, unknown>[], more = {}) =>
  fixture.send('commitTurn', {
    body: {
      advancement_key: key,
      session_id: 's1',
      session_key: 'agent:main:main',
      agent_id: 'main',
      format: 'openai',
      messages,
      ...more,
    },
  });

describe('pages in the index', () => {
  it('a page that was written is found, and announced as indexed', async () => {
    const fixture = await openEngineFixture();
    await save(fixture, tea, 'Ann likes oolong.');
    expect((await search(fixture, 'oolong')).map(({ uri }) => uri)).toContain(tea);
    expect(fixture.events).toContainEqual({ type: 'page.changed', uri: tea, change: 'indexed' });
    expect((await fixture.parts.memoryIndex.state()).backlog).toBe(0);
  });

  it('a page that is gone is found no more', async () => {
    const fixture = await openEngineFixture();
    await save(fixture, tea, 'Ann likes oolong.');
    await search(fixture, 'oolong');
    await fixture.send('deletePage', { params: { uri: tea }, body: { mode: 'hard', confirm: tea } });
    expect(await search(fixture, 'oolong', { includeInactive: true })).toEqual([]);
  });
});

describe('turns in the index', () => {
  it('what was said is found, with who said it; what was injected, excluded or a heartbeat is not', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, 'k1', [
      {
        role: 'user',
        name: 'Ann',
        content: 'We meet in Lisbon.\n<relevant-memories>\nnone about Porto\n</relevant-memories>\n',
      },
      { role: 'assistant', content: 'Lisbon is noted.' },
    ]);
    await commit(fixture, 'k2', [{ role: 'user', content: 'HEARTBEAT in Faro' }], { is_heartbeat: true });
    const hits = await search(fixture, 'Lisbon');
    expect(hits.map(({ role, speaker, sequence }) => [role, speaker, sequence])).toEqual(
      expect.arrayContaining([
        ['user', 'Ann', 1],
        ['assistant', '', 2],
      ]),
    );
    expect(await search(fixture, 'Porto')).toEqual([]);
    expect(await search(fixture, 'Faro')).toEqual([]);
  });

  it('of a tool result the first 2,000 characters are found', async () => {
    const fixture = await openEngineFixture();
    const result = `beginning ${'x '.repeat(1_200)} ending`;
    await commit(fixture, 'k', [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: result },
    ]);
    expect(await search(fixture, 'beginning')).toHaveLength(1);
    expect(await search(fixture, 'ending')).toEqual([]);
  });

  it('S82: after a restart it goes on where it stopped, and takes in what was missed once', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, 'k1', [{ role: 'user', content: 'first Lisbon' }]);
    await search(fixture, 'Lisbon');
    await commit(fixture, 'k2', [{ role: 'user', content: 'second Porto' }]);
    await fixture.reopen();
    expect(await search(fixture, 'Porto')).toHaveLength(1);
    const { generation } = await fixture.parts.memoryIndex.state();
    await fixture.reopen();
    await search(fixture, 'Porto');
    expect((await fixture.parts.memoryIndex.state()).generation).toBe(generation);
  });
});

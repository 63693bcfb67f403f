import { describe, expect, it } from 'vitest';
import type { RecallResult } from '../../../src-shared/model/recall.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { MemoryIndex } from '../ports/memory-index.ts';
import { openRecallFixture, testNow, testPage, testScope, testTurns, testUri } from './testing/recall-fixture.ts';

function packed({ candidates }: RecallResult): string[] {
  return candidates.filter((candidate) => candidate.packed).map(({ uri }) => uri);
}

const filler = Array.from({ length: 30 }, (_, index) =>
  testPage({ path: `notes/n${index}`, title: `Note ${index}`, text: `Shipping list number ${index} for the depot.` }),
);

/** Knows three directions; everything else is unknown to it. */
const compass: Embedder = {
  id: 'compass',
  dimension: 4,
  embed: (texts) => Promise.resolve(texts.map(directionOf)),
  close: () => Promise.resolve(),
};

function directionOf(text: string): Float32Array | undefined {
  if (/boat|vessel/i.test(text)) return new Float32Array([1, 0, 0, 0]);
  return /depot|shipping/i.test(text) ? new Float32Array([0, 1, 0, 0]) : undefined;
}

async function withVectors(index: Awaited<ReturnType<typeof openRecallFixture>>['index']): Promise<void> {
  const pending = await index.pendingTexts(compass.id, 1_000);
  const vectors = pending.map(({ rowId, textHash, text }) => ({ rowId, textHash, vector: directionOf(text) }));
  await index.putVectors({ id: compass.id, dimension: 4 }, vectors);
}

describe('Recall of pages', () => {
  it('G04: a bare name brings the page that is called so first', async () => {
    const { index, recall } = await openRecallFixture();
    const mentions = Array.from({ length: 5 }, (_, at) =>
      testPage({
        path: `notes/m${at}`,
        title: `Meeting ${at}`,
        text: 'Talked with Nadira Okoye. Nadira Okoye said yes.',
      }),
    );
    await index.putPages([
      ...filler,
      ...mentions,
      testPage({ path: 'people/x', title: 'Nadira Okoye', text: 'Runs the depot.' }),
    ]);
    const result = await recall('nadira okoye?');
    expect(packed(result)[0]).toBe(testUri('people/x'));
    expect(result.candidates[0]?.parts['title']).toBeGreaterThan(0);
  });

  it('G15: a name of two pages lifts neither, and the whole name lifts its own', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'people/a', title: 'Dana Reyes', aliases: ['Dana'], text: 'Buys tea.' }),
      testPage({ path: 'people/b', title: 'Dana Whitlock', aliases: ['Dana'], text: 'Sells coffee.' }),
    ]);
    const short = await recall('Dana', { minScore: 0 });
    const named = short.candidates.filter(({ parts }) => (parts['alias'] ?? 0) > 0);
    expect(named).toEqual([]);
    expect(packed(await recall('Dana Whitlock'))[0]).toBe(testUri('people/b'));
  });

  it('G16: an alias brings its page, also in the middle of a question and in Chinese', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'x/k', title: 'Kubernetes', aliases: ['k8s', '容器平台'], text: 'Runs on three machines.' }),
    ]);
    expect(packed(await recall("what's our k8s story for next year, roughly?"))[0]).toBe(testUri('x/k'));
    expect(packed(await recall('我们的容器平台是怎么部署的？'))[0]).toBe(testUri('x/k'));
  });

  it('takes a name for misspelled when one letter makes it one, but never after other first letters', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([...filler, testPage({ path: 'x/m', title: 'Mongo', text: 'Stores orders.' })]);
    expect(packed(await recall('mongod'))).toEqual([testUri('x/m')]);
    expect(packed(await recall('mango pooling'))).toEqual([]);
  });

  it('G01: what only the vectors find is among the answers, weights lift and never filter', async () => {
    const { index, recall } = await openRecallFixture({ embedder: compass });
    await index.putPages([
      ...filler,
      testPage({ path: 'x/v', title: 'Purchases', kind: 'note', text: 'The vessel was paid in March.' }),
    ]);
    await withVectors(index);
    const result = await recall('boat', { minScore: 0 });
    expect(result.candidates.slice(0, 3).map(({ uri }) => uri)).toContain(testUri('x/v'));
  });

  it('S73: rows without vectors are found by their words', async () => {
    const { index, recall } = await openRecallFixture({ embedder: compass });
    await index.putPages(filler);
    await withVectors(index);
    await index.putPages([testPage({ path: 'x/late', title: 'Boat', text: 'The boat has a new sail.' })]);
    expect(packed(await recall('new sail of the boat'))[0]).toBe(testUri('x/late'));
  });

  it('a failing embedder leaves the words, and the answer says what is missing', async () => {
    const broken: Embedder = { ...compass, embed: () => Promise.reject(new Error('no model')) };
    const { index, recall } = await openRecallFixture({ embedder: broken });
    await index.putPages([...filler, testPage({ path: 'x/b', title: 'Boat', text: 'A new sail.' })]);
    const result = await recall('boat sail');
    expect(packed(result)).toEqual([testUri('x/b')]);
    expect(result.degraded.map(({ message }) => message)).toEqual(['vectors: no model']);
  });

  it('abstains when little of the question is matched, and says how far the nearest is', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([...filler, testPage({ path: 'x/d', title: 'Places', text: 'The depot is in Rotterdam.' })]);
    const result = await recall('which dashboards watch the depot for observability and monitoring');
    expect(result.abstained).toBe(true);
    expect(result.candidates[0]).toMatchObject({ reason: 'below_threshold', threshold: 0.35, packed: false });
  });

  it('leaves superseded and retired pages out unless they are asked for, and then behind those that hold', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({
        path: 'd/old',
        title: 'Database',
        text: 'The database is Postgres for orders.',
        status: 'superseded',
      }),
      testPage({ path: 'd/new', title: 'Storage', text: 'The database is Mongo for orders.' }),
    ]);
    expect(packed(await recall('database for orders'))).toEqual([testUri('d/new')]);
    const all = await recall('database for orders', { includeInactive: true, minScore: 0.1 });
    expect(packed(all).slice(0, 2)).toEqual([testUri('d/new'), testUri('d/old')]);
  });

  it('what is pinned takes the places that answers leave, and keeps its reason', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'p/pin', title: 'House rules', text: 'No shoes indoors.', pinned: true }),
      testPage({ path: 'p/tea', title: 'Tea', text: 'Green tea in the morning.' }),
    ]);
    const result = await recall('green tea', { limit: 2 });
    expect(packed(result)).toEqual([testUri('p/tea'), testUri('p/pin')]);
    expect(result.candidates.slice(0, 2).map(({ reason }) => reason)).toEqual(['packed', 'pinned']);
    const single = await recall('green tea', { limit: 1 });
    expect(packed(single)).toEqual([testUri('p/tea')]);
    expect(single.candidates[1]).toMatchObject({ reason: 'over_limit', threshold: 1 });
  });

  it('of two pages that say the same the pinned one goes first', async () => {
    const { index, recall } = await openRecallFixture();
    const page = (path: string, pinned: boolean) =>
      testPage({ path, title: 'Boat', text: `The boat lies at berth ${path}.`, pinned });
    await index.putPages([...filler, page('a', false), page('b', true)]);
    const [first] = (await recall('berth of the boat')).candidates;
    expect(first).toMatchObject({ uri: testUri('b'), reason: 'pinned' });
    expect(first?.parts['pinned']).toBeGreaterThan(0);
  });

  it('a question that links answer surely puts the page it names behind the answers', async () => {
    const { index, recall } = await openRecallFixture();
    const investors = ['ana', 'ben', 'cleo'].map((name) =>
      testPage({
        path: `people/${name}`,
        title: `${name} person`,
        kind: 'person',
        text: 'Likes tea.',
        links: [{ to: testUri('companies/acme'), type: 'invested_in', origin: 'text' }],
      }),
    );
    const acme = testPage({ path: 'companies/acme', title: 'Acme', kind: 'company', text: 'Acme makes anvils.' });
    await index.putPages([...filler, acme, ...investors]);
    const result = await recall('Who invested in Acme?', { minScore: 0 });
    expect(result.candidates.slice(0, 4).map(({ uri }) => uri)).toEqual([
      ...investors.map(({ uri }) => uri),
      testUri('companies/acme'),
    ]);
    expect((await recall('Acme')).candidates[0]?.uri).toBe(testUri('companies/acme'));
  });

  it('texts near in meaning are duplicates unless a number, a time, a name or a denial differs', async () => {
    const nearAll: Embedder = {
      ...compass,
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1, 0, 0, 0]))),
    };
    const { index, recall } = await openRecallFixture({ embedder: nearAll });
    const texts = {
      one: 'The quarterly report goes to the Amsterdam office on Friday.',
      same: 'The quarterly report is sent to the Amsterdam office on Friday morning then.',
      day: 'The quarterly report goes to the Amsterdam office on Tuesday.',
      name: 'The quarterly report goes to the Lisbon office on Friday.',
      not: 'The quarterly report never goes to the Amsterdam office on Friday.',
    };
    const pages = Object.entries(texts).map(([path, text]) => testPage({ path, title: 'Report', text }));
    await index.putPages([...filler, ...pages]);
    const pending = await index.pendingTexts(compass.id, 1_000);
    await index.putVectors(
      { id: compass.id, dimension: 4 },
      pending.map(({ rowId, textHash }) => ({ rowId, textHash, vector: new Float32Array([1, 0, 0, 0]) })),
    );
    const { candidates } = await recall('where does the quarterly report go', { minScore: 0.05 });
    const duplicates = candidates.filter(({ reason }) => reason === 'duplicate').map(({ uri }) => uri);
    expect(duplicates).not.toContain(testUri('day'));
    expect(duplicates).not.toContain(testUri('name'));
    expect(duplicates).not.toContain(testUri('not'));
  });

  it('a page and another that only mentions its name: the mention alone is not enough', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'x/redis', title: 'Redis', text: 'Cache of the shop.' }),
      testPage({ path: 'x/auth', title: 'Sign-in', text: 'Sessions are kept in Redis.' }),
    ]);
    expect(packed(await recall('What is Redis?'))).toEqual([testUri('x/redis')]);
  });

  it('curated pages come before dated logs that repeat the same words', async () => {
    const { index, recall } = await openRecallFixture();
    const chatter = 'We talked about thin harness and fat code, and thin harness again, and nobody agreed. ';
    await index.putPages([
      ...filler,
      testPage({ path: 'chat/2026-04-01', title: '2026-04-01 chat', text: chatter.repeat(12) }),
      testPage({
        path: 'talks/outline',
        title: 'An outline',
        text: 'Fat code, thin harness: put the logic in skills.',
      }),
    ]);
    expect(packed(await recall('thin harness fat code'))[0]).toBe(testUri('talks/outline'));
  });

  it('use and recency order equals and never turn a clear ranking', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'a/one', title: 'Tea one', text: 'Jasmine tea from the market.' }),
      testPage({ path: 'b/two', title: 'Tea two', text: 'Jasmine tea from the harbour.' }),
    ]);
    await index.noteUses(
      Array.from({ length: 1 }, () => testUri('b/two')),
      testNow,
    );
    for (let use = 0; use < 50; use += 1) await index.noteUses([testUri('b/two')], testNow);
    expect(packed(await recall('jasmine tea'))[0]).toBe(testUri('b/two'));
    expect(packed(await recall('jasmine tea market'))[0]).toBe(testUri('a/one'));
  });

  it('drops a page that says the same as a better one, and names the better one', async () => {
    const { index, recall } = await openRecallFixture();
    const text = 'The quarterly report goes to Amsterdam by the fifth of each month.';
    await index.putPages([
      ...filler,
      testPage({ path: 'a/r', title: 'Report', text }),
      testPage({ path: 'b/r', title: 'Mail', text }),
    ]);
    const result = await recall('when does the quarterly report go to Amsterdam');
    const dropped = result.candidates.find(({ reason }) => reason === 'duplicate');
    expect(packed(result)).toHaveLength(1);
    expect(dropped?.because_of).toBe(packed(result)[0]);
  });

  it('of a long page only the passage that matches is packed, within what one may take', async () => {
    const { index, recall } = await openRecallFixture();
    const text = `${'Nothing of note happened that day. '.repeat(400)}The vault code word is marmalade.\n${'Rain again. '.repeat(400)}`;
    await index.putPages([...filler, testPage({ path: 'x/long', title: 'Diary', text })]);
    const [first] = (await recall('vault code word', { itemTokens: 60 })).candidates;
    expect(first?.text).toContain('marmalade');
    expect(first?.tokens).toBeLessThanOrEqual(60);
  });
});

describe('Recall of turns', () => {
  it('finds the answer by the words of the question before it', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putTurns(
      testTurns('s1', [
        'Ana: Which city did you fly to for the conference?',
        'Ben: Lisbon, and I stayed a week.',
        'Ana: Lovely weather here.',
      ]),
      undefined,
    );
    const result = await recall('Which city did Ben fly to for the conference?', { minScore: 0 });
    expect(result.candidates.find(({ text }) => text.startsWith('Lisbon'))?.parts['neighbour']).toBeGreaterThan(0);
  });

  it('who is named in the question goes first among equals', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putTurns(testTurns('s1', ['Ana: I bought a violin.']), undefined);
    await index.putTurns(testTurns('s2', ['Ben: I bought a violin.']), undefined);
    const first = async (query: string): Promise<string | undefined> =>
      (await recall(query)).candidates[0]?.session_uid;
    expect(await first('What did Ben buy, a violin?')).toBe('s2');
    expect(await first('What did Ana buy, a violin?')).toBe('s1');
  });

  it('"last week" means the week before this one', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putTurns(testTurns('old', ['We decided on the blue logo.'], Date.UTC(2026, 2, 3)), undefined);
    await index.putTurns(testTurns('new', ['We decided on the green logo.'], Date.UTC(2026, 4, 27)), undefined);
    const result = await recall('what did we decide on the logo last week?', { minScore: 0 });
    expect(result.candidates[0]?.session_uid).toBe('new');
    expect(result.candidates[0]?.parts['time']).toBeGreaterThan(0);
  });

  it('turns that the model sees anyway are not packed, nor is what a reset ended so much as listed', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putTurns(
      testTurns('s1', ['The parcel code is 4471.', 'The parcel code is on the fridge door.']),
      undefined,
    );
    const seen = await recall('parcel code', { inContext: { sessionUid: 's1', fromSequence: 2 } });
    expect(seen.candidates.map(({ reason }) => reason).sort()).toEqual(['already_in_context', 'packed']);
    const hidden = await recall('parcel code', { hidden: [{ sessionUid: 's1', throughSequence: 1 }] });
    expect(hidden.candidates.map(({ uri }) => uri)).toEqual(['strata://session/lin/s1/turn/2']);
  });
});

it('passwords and keys in what was said are masked where it is recalled', async () => {
  const { index, recall } = await openRecallFixture();
  const key = 'sk-live-4f9Qz81LmTxWc7Rb2NdKe5Vh';
  await index.putTurns(
    testTurns('s1', [
      `Ana: The deploy key of the depot is ${key}, keep it.`,
      'Ana: The depot alarm password is hunter2000 since May.',
    ]),
    undefined,
  );
  const texts = (await recall('deploy key and alarm password of the depot', { minScore: 0 })).candidates.map(
    ({ text }) => text,
  );
  expect(texts).toHaveLength(2);
  expect(texts.join()).not.toMatch(/hunter2000|4f9Qz81L/);
  expect(texts.every((text) => text.includes('[secret]'))).toBe(true);
});

describe('One recall', () => {
  it('S68: asks the index once for pages and once for turns', async () => {
    const asked: string[] = [];
    const { index, recall } = await openRecallFixture({
      wrapIndex: (inner) =>
        new Proxy(inner, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            return (...args: unknown[]): unknown => {
              const [first] = args;
              if (name === 'searchText') asked.push((first as { sources: string[] }).sources.join('+'));
              return Reflect.apply(value, target, args) as unknown;
            };
          },
        }),
    });
    await index.putPages(filler);
    await recall('shipping list of the depot');
    expect(asked.sort()).toEqual(['page', 'turn+checkpoint']);
  });

  it('S65: a search that hangs is ended by its signal, and what was found until then is answered', async () => {
    const { index, recall } = await openRecallFixture({
      embedder: { ...compass, embed: () => new Promise(() => undefined) },
    });
    await index.putPages([...filler, testPage({ path: 'x/b', title: 'Boat', text: 'A new sail.' })]);
    const controller = new AbortController();
    const answer = recall('boat sail', { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    const result = await answer;
    expect(result.degraded.map(({ message }) => message)).toContain('vectors: the search was ended before it came.');
    expect(packed(result)).toEqual([testUri('x/b')]);
  });

  it('answers equal questions from the cache until something is written', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([...filler, testPage({ path: 'x/a', title: 'Vessel', text: 'The boat has a new sail.' })]);
    const first = await recall('boat  sail');
    const second = await recall('boat sail');
    expect(second.from_cache).toBe(true);
    expect(second.candidates).toEqual(first.candidates);
    await index.putPages([testPage({ path: 'x/c', title: 'Dinghy', text: 'The boat sail was mended.' })]);
    const third = await recall('boat sail');
    expect(third.from_cache).toBe(false);
    expect(packed(third)).toContain(testUri('x/c'));
  });

  it('no answer from the cache reaches another user, label or limit', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([
      ...filler,
      testPage({ path: 'x/a', title: 'Boat', text: 'A new sail.', labels: ['domain:sea'] }),
    ]);
    expect(packed(await recall('boat sail'))).toHaveLength(1);
    expect(packed(await recall('boat sail', { scope: { ...testScope, userId: 'other' } }))).toEqual([]);
    expect(packed(await recall('boat sail', { scope: { ...testScope, labels: ['domain:land'] } }))).toEqual([]);
    expect(packed(await recall('boat sail', { scope: { ...testScope, access: 'none' } }))).toEqual([]);
  });

  it('a query without words brings what is pinned and nothing else', async () => {
    const { index, recall } = await openRecallFixture();
    await index.putPages([...filler, testPage({ path: 'p/pin', title: 'Rule', text: 'Be kind.', pinned: true })]);
    expect(packed(await recall('  ?! '))).toEqual([testUri('p/pin')]);
  });
});

it('S65: with an index that answers nothing, the signal ends the search with an empty answer', async () => {
  const { recall } = await openRecallFixture({ wrapIndex: silent });
  const controller = new AbortController();
  const answer = recall('boat sail', { signal: controller.signal });
  controller.abort();
  expect(await answer).toMatchObject({ abstained: true, candidates: [] });
});

function silent(index: MemoryIndex): MemoryIndex {
  return new Proxy(index, { get: () => () => new Promise(() => undefined) });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { IndexHit } from '../../engine/ports/memory-index.ts';
import type { MemoryIndexWriter } from '../../engine/ports/memory-index-writer.ts';
import { asking, someOwner, somePage, someScope, someTurn } from './samples.ts';

export type OpenIndex = (file: string) => MemoryIndexWriter;

/** What holds for the index wherever it runs. */
export function memoryIndexContract(name: string, open: OpenIndex): void {
  const opened = async (): Promise<MemoryIndexWriter> => {
    const directory = await mkdtemp(join(tmpdir(), 'strata-index-'));
    const index = open(join(directory, 'index.db'));
    onTestFinished(async () => {
      await index.close();
      await rm(directory, { recursive: true, force: true });
    });
    return index;
  };
  describe(`${name}: words`, () => {
    wordsContract(opened);
  });
  describe(`${name}: scope`, () => {
    scopeContract(opened);
  });
  describe(`${name}: names and links`, () => {
    linksContract(opened);
  });
  describe(`${name}: vectors`, () => {
    vectorsContract(opened);
  });
  describe(`${name}: keeping`, () => {
    keepingContract(opened);
  });
}

const urisOf = (hits: readonly IndexHit[]): string[] => hits.map(({ uri }) => uri.replace(/^.*\/(memories|ann)\//, ''));

function wordsContract(opened: () => Promise<MemoryIndexWriter>): void {
  it('finds a page by title, alias and text, and says at which level', async () => {
    const index = await opened();
    await index.putPages([
      somePage('Dark theme', { aliases: ['night mode'], levels: { text: 'Ann prefers dark colours in her editor.' } }),
      somePage('Tea', {
        levels: { abstract: 'Green tea', overview: 'Green tea at noon', text: 'Ann drinks green tea.' },
      }),
    ]);
    expect(urisOf(await index.searchText(asking('theme')))).toEqual(['Dark theme']);
    expect(urisOf(await index.searchText(asking('night')))).toEqual(['Dark theme']);
    expect(urisOf(await index.searchText(asking('colour of the editor')))).toEqual(['Dark theme']);
    const levels = (await index.searchText(asking('green'))).map(({ level }) => level).sort();
    expect(levels).toEqual([0, 1, 2]);
  });

  it('finds Chinese words and names, also inside longer ones', async () => {
    const index = await opened();
    await index.putPages([
      somePage('迁移', { levels: { text: '我们决定下周把数据库迁移到新的机房，由李小明负责。' } }),
    ]);
    for (const query of ['数据库', '机房', '小明', '谁负责数据库迁移？']) {
      expect(urisOf(await index.searchText(asking(query)))).toEqual(['迁移']);
    }
    expect(await index.searchText(asking('咖啡'))).toEqual([]);
  });

  it('folds case, width, accents and English endings, and knows emoji', async () => {
    const index = await opened();
    await index.putTurns([someTurn(1, 'Cafés in Zürich were MIGRATED ＤＡＴＡ 🚀')], undefined);
    for (const query of ['cafe', 'zurich', 'migrating', 'data', '🚀']) {
      expect(await index.searchText(asking(query))).toHaveLength(1);
    }
  });

  it('any text may be indexed and asked for', async () => {
    const index = await opened();
    const odd = ['"', '\u0000', '\ud800', 'NEAR(a b)', 'title: x', '*', 'a"b', '', ' ', '-', 'AND', '🇨🇳'];
    await index.putPages(odd.map((text, at) => somePage(`p${at}`, { title: text, aliases: [text], levels: { text } })));
    for (const text of odd) {
      const hits = await index.searchText(asking('x', { terms: [{ term: text, weight: 1 }] }));
      expect(hits.length).toBeLessThanOrEqual(odd.length);
    }
    expect((await index.state()).pages).toBe(odd.length);
  });

  it('the best match comes first, and equal ones in the order of their URIs', async () => {
    const index = await opened();
    await index.putPages([
      somePage('c', { levels: { text: 'tea' } }),
      somePage('a', { levels: { text: 'tea' } }),
      somePage('b', { levels: { text: 'tea' } }),
      somePage('tea', { levels: { text: 'tea and tea' } }),
      ...['x', 'y', 'z', 'v', 'w'].map((name) => somePage(name)),
    ]);
    expect(urisOf(await index.searchText(asking('tea')))).toEqual(['tea', 'a', 'b', 'c']);
    expect(urisOf(await index.searchText(asking('tea', { limit: 2 })))).toEqual(['tea', 'a']);
  });

  it('a term of more weight counts more', async () => {
    const index = await opened();
    await index.putTurns([someTurn(1, 'apples'), someTurn(2, 'pears'), someTurn(3, 'x'), someTurn(4, 'y')], undefined);
    const weighed = (apples: number, pears: number) =>
      asking('', {
        terms: [
          { term: 'apples', weight: apples },
          { term: 'pears', weight: pears },
        ],
      });
    expect((await index.searchText(weighed(1, 0.3)))[0]?.sequence).toBe(1);
    expect((await index.searchText(weighed(0.3, 1)))[0]?.sequence).toBe(2);
  });

  it('kinds choose among pages, sources between pages, turns and summaries', async () => {
    const index = await opened();
    await index.putPages([
      somePage('a', { kind: 'entity', levels: { text: 'tea' } }),
      somePage('b', { kind: 'event', levels: { text: 'tea' } }),
    ]);
    await index.putTurns(
      [
        someTurn(1, 'tea'),
        someTurn(9, 'tea at noon', {
          source: 'checkpoint',
          uri: 'strata://session/ann/s1/checkpoint/c',
          abstract: 'tea',
        }),
      ],
      undefined,
    );
    expect(urisOf(await index.searchText(asking('tea', { sources: ['page'], kinds: ['event'] })))).toEqual(['b']);
    expect(urisOf(await index.searchText(asking('tea', { sources: ['turn'] })))).toEqual(['s1/turn/1']);
    const summaries = await index.searchText(asking('tea', { sources: ['checkpoint'] }));
    expect(summaries.map(({ level }) => level).sort()).toEqual([0, 1]);
  });

  it('superseded and retired pages are found only when they are asked for', async () => {
    const index = await opened();
    await index.putPages([
      somePage('old', { status: 'superseded', levels: { text: 'tea' } }),
      somePage('gone', { status: 'retired', levels: { text: 'tea' } }),
      somePage('now', { levels: { text: 'tea' } }),
    ]);
    expect(urisOf(await index.searchText(asking('tea')))).toEqual(['now']);
    expect(await index.searchText(asking('tea', { includeInactive: true }))).toHaveLength(3);
  });

  it('S73: a page without abstract, overview and vector is found all the same', async () => {
    const index = await opened();
    await index.putPages([somePage('bare', { levels: { text: 'only the text is there' } })]);
    expect(urisOf(await index.searchText(asking('text')))).toEqual(['bare']);
  });

  it('what was put again replaces what was there', async () => {
    const index = await opened();
    const page = somePage('a', {
      aliases: ['first'],
      levels: { abstract: 'green', overview: 'green', text: 'green tea' },
    });
    await index.putPages([page, page]);
    await index.putPages([somePage('a', { title: 'b', levels: { text: 'black coffee' } })]);
    expect(await index.searchText(asking('green tea first'))).toEqual([]);
    expect(await index.searchText(asking('coffee'))).toHaveLength(1);
    expect((await index.resolveNames(['first', 'b'], someScope())).get('first')).toEqual([]);
  });

  it('what was removed is gone from every query', async () => {
    const index = await opened();
    await index.putPages([somePage('a', { levels: { text: 'tea' }, links: [link('b')] }), somePage('b')]);
    await index.remove(['strata://user/ann/memories/a']);
    expect(await index.searchText(asking('tea'))).toEqual([]);
    expect(await index.rows(['strata://user/ann/memories/a'], someScope())).toEqual([]);
    expect(await index.links(['strata://user/ann/memories/b'], 'in', someScope())).toEqual([]);
  });

  it('tells the texts of rows, and the turns around one', async () => {
    const index = await opened();
    const turns = [1, 2, 3, 4, 5].map((sequence) => someTurn(sequence, `turn ${sequence} about tea${sequence}`));
    await index.putTurns([...turns, someTurn(3, 'another session', { sessionUid: 's2' })], undefined);
    const [hit] = await index.searchText(asking('tea3'));
    expect((await index.texts([hit?.rowId ?? 0])).get(hit?.rowId ?? 0)).toBe('turn 3 about tea3');
    const around = await index.neighbours([{ sessionUid: 's1', sequence: 3 }], 1, someScope());
    expect(around.map(({ sequence }) => sequence)).toEqual([2, 4]);
  });

  it('counts in how many visible rows a term occurs', async () => {
    const index = await opened();
    await index.putTurns(
      [someTurn(1, 'tea'), someTurn(2, 'tea milk'), someTurn(3, 'tea', { sessionUid: 's2' })],
      undefined,
    );
    const only = await index.frequencies(['tea', 'milk', 'salt'], someScope({ otherSessions: false }));
    expect(only.total).toBe(2);
    expect([...only.byTerm]).toEqual([
      ['tea', 2],
      ['milk', 1],
      ['salt', 0],
    ]);
  });
}

function scopeContract(opened: () => Promise<MemoryIndexWriter>): void {
  const seen = async (index: MemoryIndexWriter, change: Parameters<typeof someScope>[0]): Promise<string[]> =>
    urisOf(await index.searchText(asking('tea', { scope: someScope(change) }))).sort();

  it('another account sees nothing', async () => {
    const index = await opened();
    await index.putPages([somePage('a', { levels: { text: 'tea' } })]);
    expect(await seen(index, {})).toEqual(['a']);
    expect(await seen(index, { accountId: 'other' })).toEqual([]);
  });

  it('a user sees own pages and those of everybody', async () => {
    const index = await opened();
    await index.putPages([
      somePage('mine', { levels: { text: 'tea' } }),
      somePage('theirs', { owner: someOwner({ userId: 'ben' }), levels: { text: 'tea' } }),
      somePage('all', { owner: someOwner({ userId: undefined }), levels: { text: 'tea' } }),
    ]);
    expect(await seen(index, {})).toEqual(['all', 'mine']);
    expect(await seen(index, { userId: 'ben' })).toEqual(['all', 'theirs']);
  });

  it('an agent sees its own pages and those of every agent', async () => {
    const index = await opened();
    await index.putPages([
      somePage('own', { owner: someOwner({ agentId: 'main' }), levels: { text: 'tea' } }),
      somePage('other', { owner: someOwner({ agentId: 'coder' }), levels: { text: 'tea' } }),
      somePage('any', { levels: { text: 'tea' } }),
    ]);
    expect(await seen(index, {})).toEqual(['any', 'own']);
  });

  it('a page of a session is seen in that session only, whatever the scope says of other sessions', async () => {
    const index = await opened();
    await index.putPages([somePage('here', { owner: someOwner({ sessionUid: 's1' }), levels: { text: 'tea' } })]);
    expect(await seen(index, {})).toEqual(['here']);
    expect(await seen(index, { sessionUid: 's2' })).toEqual([]);
    expect(await seen(index, { sessionUid: undefined })).toEqual([]);
  });

  it('turns of other sessions are seen where the scope says so', async () => {
    const index = await opened();
    await index.putTurns([someTurn(1, 'tea'), someTurn(1, 'tea', { sessionUid: 's2' })], undefined);
    expect(await seen(index, {})).toEqual(['s1/turn/1', 's2/turn/1']);
    expect(await seen(index, { otherSessions: false })).toEqual(['s1/turn/1']);
    expect(await seen(index, { otherSessions: false, sessionUid: undefined })).toEqual([]);
  });

  it('where others listen only shared pages are seen, and no other session', async () => {
    const index = await opened();
    await index.putPages([
      somePage('private', { levels: { text: 'tea' } }),
      somePage('shared', { owner: someOwner({ visibility: 'shared' }), levels: { text: 'tea' } }),
    ]);
    await index.putTurns([someTurn(1, 'tea'), someTurn(1, 'tea', { sessionUid: 's2' })], undefined);
    expect(await seen(index, { access: 'shared' })).toEqual(['s1/turn/1', 'shared']);
  });

  it('without access nothing is seen', async () => {
    const index = await opened();
    await index.putPages([somePage('shared', { owner: someOwner({ visibility: 'shared' }), levels: { text: 'tea' } })]);
    await index.putTurns([someTurn(1, 'tea')], undefined);
    expect(await seen(index, { access: 'none' })).toEqual([]);
  });

  it('labels hide pages that have none of those asked for, and never pages without labels', async () => {
    const index = await opened();
    await index.putPages([
      somePage('code', { owner: someOwner({ labels: ['domain:code', 'x'] }), levels: { text: 'tea' } }),
      somePage('home', { owner: someOwner({ labels: ['domain:home'] }), levels: { text: 'tea' } }),
      somePage('plain', { levels: { text: 'tea' } }),
    ]);
    expect(await seen(index, {})).toEqual(['code', 'home', 'plain']);
    expect(await seen(index, { labels: ['domain:code'] })).toEqual(['code', 'plain']);
    expect(await seen(index, { labels: [] })).toEqual(['plain']);
  });

  it('a page that changes hands is seen by its new owner only', async () => {
    const index = await opened();
    await index.putPages([somePage('a', { levels: { text: 'tea' } })]);
    await index.putPages([somePage('a', { owner: someOwner({ userId: 'ben' }), levels: { text: 'tea' } })]);
    expect(await seen(index, {})).toEqual([]);
    expect(await seen(index, { userId: 'ben' })).toEqual(['a']);
  });
}

function link(name: string, type = 'mentions') {
  return { to: `strata://user/ann/memories/${name}`, type, origin: 'text' as const };
}

function linksContract(opened: () => Promise<MemoryIndexWriter>): void {
  const uri = (name: string): string => `strata://user/ann/memories/${name}`;

  it('finds all pages with a name, so that ambiguity shows', async () => {
    const index = await opened();
    await index.putPages([
      somePage('p/jose', { title: 'José  Ruiz', aliases: ['Pepe'] }),
      somePage('p/pepe', { title: 'Ｐｅｐｅ' }),
      somePage('p/ben', { title: 'pepe', owner: someOwner({ userId: 'ben' }) }),
    ]);
    const found = await index.resolveNames(['jose ruiz', 'PEPE', 'nobody'], someScope());
    expect([...found].map(([name, hits]) => [name, urisOf(hits)])).toEqual([
      ['jose ruiz', ['p/jose']],
      ['PEPE', ['p/jose', 'p/pepe']],
      ['nobody', []],
    ]);
  });

  it('links lead out and in, by type', async () => {
    const index = await opened();
    await index.putPages([
      somePage('lin', { links: [link('acme', 'works_at'), link('bo')] }),
      somePage('acme'),
      somePage('bo'),
    ]);
    expect(await index.links([uri('lin')], 'out', someScope(), ['works_at'])).toEqual([
      { from: uri('lin'), to: uri('acme'), type: 'works_at' },
    ]);
    expect(await index.links([uri('bo')], 'in', someScope())).toEqual([
      { from: uri('lin'), to: uri('bo'), type: 'mentions' },
    ]);
    expect(await index.links([uri('bo')], 'out', someScope())).toEqual([]);
  });

  it('a link written the other way round leads out of the page it names', async () => {
    const index = await opened();
    const invested = { to: '', name: 'Lin', type: 'invested_in', origin: 'front_matter' as const, incoming: true };
    await index.putPages([somePage('acme', { links: [invested] }), somePage('lin', { title: 'Lin' })]);
    const expected = [{ from: uri('lin'), to: uri('acme'), type: 'invested_in' }];
    expect(await index.links([uri('lin')], 'out', someScope())).toEqual(expected);
    expect(await index.links([uri('acme')], 'in', someScope())).toEqual(expected);
  });

  it('a name is resolved when the link is read, whichever page came first', async () => {
    const index = await opened();
    await index.putPages([
      somePage('note', { links: [{ to: '', name: 'Acme Corp', type: 'mentions', origin: 'text' }] }),
    ]);
    expect(await index.links([uri('note')], 'out', someScope())).toEqual([]);
    await index.putPages([somePage('acme', { title: 'ACME corp' })]);
    expect(await index.links([uri('note')], 'out', someScope())).toHaveLength(1);
  });

  it('G15: an ambiguous name means no page, and a page that is superseded does not make it ambiguous', async () => {
    const index = await opened();
    await index.putPages([
      somePage('note', {
        owner: someOwner({ agentId: 'main' }),
        links: [{ to: '', name: 'Sam', type: 'mentions', origin: 'text' }],
      }),
      somePage('sam1', { title: 'Sam' }),
      somePage('sam2', { title: 'sam' }),
    ]);
    expect(await index.links([uri('note')], 'out', someScope())).toEqual([]);
    await index.putPages([somePage('sam2', { title: 'sam', status: 'superseded' })]);
    expect(await index.links([uri('note')], 'out', someScope())).toMatchObject([{ to: uri('sam1') }]);
  });

  it('the first target that is a page is meant', async () => {
    const index = await opened();
    const relative = { ...link('missing'), alternatives: [uri('there')] };
    await index.putPages([somePage('note', { links: [relative] }), somePage('there')]);
    expect(await index.links([uri('there')], 'in', someScope())).toMatchObject([{ from: uri('note') }]);
  });

  it('a link to or from a page outside the scope is not told', async () => {
    const index = await opened();
    await index.putPages([
      somePage('mine', { links: [link('secret')] }),
      somePage('secret', { owner: someOwner({ userId: 'ben' }), links: [link('mine')] }),
    ]);
    expect(await index.links([uri('mine')], 'out', someScope())).toEqual([]);
    expect(await index.links([uri('mine')], 'in', someScope())).toEqual([]);
  });
}

function vectorsContract(opened: () => Promise<MemoryIndexWriter>): void {
  const vectorOf = (...numbers: number[]): Float32Array => Float32Array.from(numbers);
  const near = (vector: Float32Array, embedderId = 'm') => ({ ...asking(''), vector, embedderId });

  const filled = async (): Promise<MemoryIndexWriter> => {
    const index = await opened();
    await index.putPages([somePage('a', { levels: { text: 'one' } }), somePage('b', { levels: { text: 'two' } })]);
    const [a, b] = await index.pendingTexts('m', 10);
    if (!a || !b) throw new Error('two texts wait for a vector');
    expect(a.text).toBe('a\none');
    const vectors = [
      { ...a, vector: vectorOf(1, 0.1, 0) },
      { ...b, vector: vectorOf(-1, 0.5, 0) },
    ];
    expect(await index.putVectors({ id: 'm', dimension: 3 }, vectors)).toBe(2);
    return index;
  };

  it('the nearest comes first, with its cosine', async () => {
    const index = await filled();
    const hits = await index.searchVectors(near(vectorOf(1, 0, 0)));
    expect(urisOf(hits)).toEqual(['a', 'b']);
    expect(hits[0]?.score).toBeCloseTo(1 / Math.hypot(1, 0.1), 2);
    expect(hits[1]?.score).toBeCloseTo(-1 / Math.hypot(1, 0.5), 2);
    expect(await index.pendingTexts('m', 10)).toEqual([]);
  });

  it('a row outside the scope is no neighbour', async () => {
    const index = await filled();
    const query = { ...near(vectorOf(1, 0, 0)), scope: someScope({ userId: 'ben' }) };
    expect(await index.searchVectors(query)).toEqual([]);
  });

  it('hands out vectors of rows, of their own model only', async () => {
    const index = await filled();
    const rowIds = (await index.searchVectors(near(vectorOf(1, 0, 0)))).map(({ rowId }) => rowId);
    const vectors = await index.vectors([...rowIds, 9_999], 'm');
    expect([...vectors.keys()].sort()).toEqual([...rowIds].sort());
    expect([...(vectors.get(rowIds[0] ?? -1) ?? [])]).toEqual([127, 13, 0]);
    expect(await index.vectors(rowIds, 'other')).toEqual(new Map());
  });

  it('vectors of another model are never compared', async () => {
    const index = await filled();
    expect(await index.searchVectors(near(vectorOf(1, 0, 0), 'other'))).toEqual([]);
  });

  it('G19: a vector of another length is refused with what to do', async () => {
    const index = await filled();
    await expect(index.searchVectors(near(vectorOf(1, 0)))).rejects.toMatchObject({
      code: 'embedder_mismatch',
      message: expect.stringContaining('strata reindex'),
    });
  });

  it('G19: another model takes the place of the first, and all texts wait for it', async () => {
    const index = await filled();
    const texts = await index.pendingTexts('n', 10);
    expect(texts).toHaveLength(2);
    await index.putVectors({ id: 'n', dimension: 2 }, [
      { rowId: texts[0]?.rowId ?? 0, textHash: texts[0]?.textHash ?? '', vector: vectorOf(0, 1) },
    ]);
    expect(await index.state()).toMatchObject({ vectors: 1, embedder: 'n' });
    expect(await index.searchVectors(near(vectorOf(1, 0, 0)))).toEqual([]);
    expect(await index.pendingTexts('n', 10)).toHaveLength(1);
  });

  it('a text that changed meanwhile does not get the vector of the old one', async () => {
    const index = await opened();
    await index.putPages([somePage('a', { levels: { text: 'one' } })]);
    const [waiting] = await index.pendingTexts('m', 10);
    await index.putPages([somePage('a', { levels: { text: 'two' } })]);
    if (!waiting) throw new Error('a text waits for a vector');
    expect(await index.putVectors({ id: 'm', dimension: 1 }, [{ ...waiting, vector: vectorOf(1) }])).toBe(0);
    expect(await index.pendingTexts('m', 10)).toHaveLength(1);
  });

  it('a page that is written with the same text keeps its vector, and loses it with the text', async () => {
    const index = await filled();
    await index.putPages([somePage('a', { version: 2, pinned: true, levels: { text: 'one' } })]);
    expect((await index.state()).vectors).toBe(2);
    await index.putPages([somePage('a', { version: 3, levels: { text: 'three' } })]);
    expect((await index.state()).vectors).toBe(1);
  });

  it('a text the model knows nothing of is not asked again', async () => {
    const index = await opened();
    await index.putPages([somePage('a')]);
    const [waiting] = await index.pendingTexts('m', 10);
    if (!waiting) throw new Error('a text waits for a vector');
    await index.putVectors({ id: 'm', dimension: 1 }, [{ ...waiting, vector: undefined }]);
    expect(await index.pendingTexts('m', 10)).toEqual([]);
    expect((await index.state()).vectors).toBe(0);
  });
}

function keepingContract(opened: () => Promise<MemoryIndexWriter>): void {
  it('the generation changes with every write, and not with a search or a use', async () => {
    const index = await opened();
    await index.putPages([somePage('a')]);
    const { generation } = await index.state();
    await index.searchText(asking('a'));
    await index.noteUses(['x'], 5);
    expect((await index.state()).generation).toBe(generation);
    await index.remove(['strata://user/ann/memories/a']);
    expect((await index.state()).generation).toBeGreaterThan(generation);
  });

  it('counts uses and knows the last one', async () => {
    const index = await opened();
    await index.noteUses(['x', 'y', 'x'], 5);
    await index.noteUses(['x'], 3);
    expect([...(await index.uses(['x', 'y', 'z']))]).toEqual([
      ['x', { count: 2, last: 5 }],
      ['y', { count: 1, last: 5 }],
    ]);
  });

  it('marks say how far a session is indexed', async () => {
    const index = await opened();
    await index.putTurns([someTurn(1, 'tea')], { sessionUid: 's1', sequence: 4, checkpoints: 'a' });
    await index.putTurns([], { sessionUid: 's1', sequence: 6, checkpoints: 'b' });
    expect(await index.marks()).toEqual([{ sessionUid: 's1', sequence: 6, checkpoints: 'b' }]);
  });

  it('lists the pages it has, in parts', async () => {
    const index = await opened();
    await index.putPages(['c', 'a', 'b'].map((name) => somePage(name)));
    const first = await index.entries('', 2);
    const second = await index.entries(first[1]?.uri ?? '', 2);
    expect([...first, ...second].map(({ contentHash }) => contentHash)).toEqual([
      'hash of a',
      'hash of b',
      'hash of c',
    ]);
  });

  it('equal contents have equal fingerprints, whatever way they came in', async () => {
    const [one, other] = [await opened(), await opened()];
    const pages = ['a', 'b', 'c'].map((name) =>
      somePage(name, { links: [link('a')], levels: { abstract: name, text: `${name} 茶` } }),
    );
    await one.putPages(pages);
    await other.putPages([somePage('b', { levels: { overview: 'x', text: 'else' } }), somePage('d')]);
    expect(await other.fingerprint()).not.toBe(await one.fingerprint());
    await other.putPages([...pages].reverse());
    await other.remove(['strata://user/ann/memories/d']);
    expect(await other.fingerprint()).toBe(await one.fingerprint());
  });

  it('after clearing there is nothing but the counts of use', async () => {
    const [index, empty] = [await opened(), await opened()];
    await index.putPages([somePage('a', { levels: { text: 'tea' } })]);
    await index.putTurns([someTurn(1, 'tea')], { sessionUid: 's1', sequence: 1, checkpoints: '' });
    await index.noteUses(['x'], 1);
    await index.clear();
    expect(await index.searchText(asking('tea'))).toEqual([]);
    expect(await index.fingerprint()).toBe(await empty.fingerprint());
    expect(await index.marks()).toEqual([]);
    expect((await index.uses(['x'])).size).toBe(1);
  });

  it('a search that was given up rejects as aborted', async () => {
    const index = await opened();
    const abort = new AbortController();
    abort.abort();
    await expect(index.searchText(asking('tea', { signal: abort.signal }))).rejects.toMatchObject({ code: 'aborted' });
  });

  it('a closed index refuses, and may be closed again', async () => {
    const index = await opened();
    await index.close();
    await index.close();
    await expect(index.state()).rejects.toMatchObject({ code: 'shutting_down' });
  });
}

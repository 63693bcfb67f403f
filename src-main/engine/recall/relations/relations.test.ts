import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import { openInlineIndex } from '../../../index/open-inline-index.ts';
import type { IndexedLink, IndexedPage } from '../../ports/memory-index.ts';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import { answerRelations } from './answer-relations.ts';
import { planRelations } from './plan-relations.ts';

const scope: MemoryScope = {
  ...{ accountId: 'local', userId: 'ann', agentId: 'main', sessionUid: undefined },
  ...{ otherSessions: true, access: 'all', labels: undefined },
};

let folder: string;
let index: MemoryIndexWriter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-relations-'));
  index = openInlineIndex({ file: join(folder, 'index.db') });
});

afterEach(async () => {
  await index.close();
  rmSync(folder, { recursive: true });
});

const root = 'strata://resources/';

/** `founded>companies/acme` or `invested_in<people/bo`, by path; a target without a folder is a name. */
function linkOf(text: string): IndexedLink {
  const [, type = '', way, target = ''] = /^(\w+)([<>])(.+)$/.exec(text) ?? [];
  const isPath = target.includes('/');
  return {
    ...{ type, origin: 'text', to: isPath ? root + target : '', incoming: way === '<' },
    ...(!isPath && { name: target }),
  };
}

interface Given {
  readonly title: string;
  readonly links?: readonly string[];
  readonly aliases?: readonly string[];
  readonly text?: string;
  readonly uri?: string;
  readonly status?: IndexedPage['status'];
  readonly userId?: string;
}

async function put(pages: Readonly<Record<string, Given>>): Promise<void> {
  await index.putPages(
    Object.entries(pages).map(([path, given]) => ({
      ...{ uri: given.uri ?? root + path, kind: 'note', status: given.status ?? 'active', pinned: false },
      owner: {
        ...{ accountId: 'local', userId: given.userId, agentId: undefined, sessionUid: undefined },
        ...{ visibility: 'private', labels: [] },
      },
      ...{ title: given.title, aliases: given.aliases ?? [], tags: [], contentHash: path, version: 1, updatedAt: 1 },
      levels: { abstract: given.title, overview: '', text: given.text ?? given.title },
      links: (given.links ?? []).map(linkOf),
    })),
  );
}

/** Paths with a score of at least 0.5, best first: more than neighbours. */
async function ask(query: string, least = 0.5): Promise<string[]> {
  const plan = await planRelations(query, index, scope);
  const answers = plan ? await answerRelations(plan, index, scope) : [];
  return answers.filter(({ score }) => score >= least).map(({ uri }) => uri.replace(root, ''));
}

async function putWorld(): Promise<void> {
  await put({
    'companies/acme': { title: 'Acme', aliases: ['艾克美'], links: ['founded<people/ann', 'invested_in<people/bo'] },
    'companies/beta': { title: 'Beta Works', links: ['invested_in<people/bo'] },
    'people/ann': { title: 'Ann Lee', links: ['reports_to>people/bo'] },
    'people/bo': { title: 'Bo Chen', links: ['advises>companies/beta'] },
    'people/cy': { title: 'Cy Diaz', links: ['works_at>companies/acme', 'knows>people/ann'] },
    'people/di': { title: 'Di Wu', links: ['works_at>companies/beta', 'mentions>companies/acme'] },
    'meetings/kick-off': { title: 'Kick-off — Acme (spring)', links: ['attended<people/cy', 'attended<people/bo'] },
  });
}

describe('one hop', () => {
  beforeEach(putWorld);

  it.each([
    ['Who invested in Acme?', ['people/bo']],
    ['who are the investors of acme', ['people/bo']],
    ["Can you list Acme's investors", ['people/bo']],
    ['Who founded Acme?', ['people/ann']],
    ['Acme was founded by whom?', ['people/ann']],
    ['Which company did Ann Lee found?', ['companies/acme']],
    ['What companies were founded by Ann Lee', ['companies/acme']],
    ['Which startups has Bo Chen backed?', ['companies/acme', 'companies/beta']],
    ['Where does Di Wu work?', ['companies/beta']],
    ["What is Di Wu's employer", ['companies/beta']],
    ['Who attended Kick-off — Acme (spring)?', ['people/bo', 'people/cy']],
    ['Who does Ann Lee report to?', ['people/bo']],
    ['Who reports to Bo Chen?', ['people/ann']],
    ["Who is Ann Lee's manager", ['people/bo']],
    ['谁投资了Acme？', ['people/bo']],
    ['艾克美的投资方有哪些', ['people/bo']],
    ['艾克美是谁创立的', ['people/ann']],
    ['Bo Chen投资了哪些公司', ['companies/acme', 'companies/beta']],
    ['谁在艾克美工作？', ['people/cy', 'people/ann']],
    ['Di Wu在哪里工作', ['companies/beta']],
  ])('%s', async (query, expected) => {
    expect(await ask(query)).toEqual(expected);
  });

  it('counts a founder among those who work at a firm, after the ones of whom it is said', async () => {
    expect(await ask('Who works at Acme?')).toEqual(['people/cy', 'people/ann']);
  });

  it('answers with the path of links as it was written', async () => {
    const plan = await planRelations('Who invested in Acme?', index, scope);
    const [first] = plan ? await answerRelations(plan, index, scope) : [];
    expect(first?.path).toEqual([{ from: `${root}people/bo`, to: `${root}companies/acme`, type: 'invested_in' }]);
    expect(plan).toMatchObject({ shape: 'follow', types: ['invested_in'], hops: 1, wanted: ['person'] });
  });
});

describe('two hops and two names', () => {
  beforeEach(putWorld);

  it('follows from the named page outwards', async () => {
    expect(await ask('who works at companies that Bo Chen invested in')).toEqual([
      'people/cy',
      'people/di',
      'people/ann',
    ]);
  });

  it('prefers who is meant by both names', async () => {
    expect((await ask('Who at Acme knows Ann Lee?', 0.3))[0]).toBe('people/cy');
  });

  it('finds what lies between two pages', async () => {
    expect(await ask('What connects Acme and Beta Works?')).toEqual(['people/bo', 'people/di']);
    expect(await ask('Acme和Beta Works有什么关系')).toEqual(['people/bo', 'people/di']);
  });
});

describe('queries without a relation', () => {
  beforeEach(putWorld);

  it('put neighbours of the page that is named below 0.5', async () => {
    expect(await ask('What is new with Beta Works')).toEqual([]);
    expect(await ask('What is new with Beta Works', 0.3)).toEqual(['people/bo', 'people/di']);
  });

  it('fall back on neighbours where links do not say the relation', async () => {
    expect(await ask('Who advises Acme?')).toEqual([]);
    expect((await ask('Who advises Acme?', 0.1)).slice(0, 2)).toContain('people/bo');
  });

  it.each(['hello there', '', '???', 'who works where', '你好吗'])('name nothing: %j', async (query) => {
    expect(await planRelations(query, index, scope)).toBeUndefined();
  });
});

describe('names', () => {
  it('G15: a name of two pages means neither, and no part of it is taken instead', async () => {
    await put({
      'companies/a': { title: 'Capital' },
      'companies/b': { title: 'North Capital', links: ['invested_in<people/bo'] },
      'companies/c': { title: 'North Capital' },
      'people/bo': { title: 'Bo' },
    });
    expect(await ask('Who invested in North Capital?', 0)).toEqual([]);
  });

  it('G15: of two pages with a name, the own one of the user is meant', async () => {
    const own = 'strata://user/ann/memories/entities/sam';
    await put({
      'people/sam': { title: 'Sam' },
      own: { title: 'Sam', uri: own, userId: 'ann', links: ['works_at>companies/acme'] },
      'companies/acme': { title: 'Acme' },
    });
    const plan = await planRelations('Where does Sam work?', index, scope);
    expect(plan?.anchors.map(({ page }) => page.uri)).toEqual([own]);
  });

  it('G16: an alias means its page, on both sides of a link', async () => {
    await put({
      'companies/acme': { title: 'Acme Incorporated', aliases: ['Acme'] },
      'people/bo': { title: 'Bo', links: ['invested_in>Acme'] },
    });
    expect(await ask('who backed ACME')).toEqual(['people/bo']);
  });

  it('G18: the page that is written out wins over a stub of the same name', async () => {
    await put({
      'inbox/acme': { title: 'Acme', text: 'Acme. Contact.' },
      'companies/acme': { title: 'Acme', text: 'Acme makes robots. '.repeat(40), links: ['founded<people/ann'] },
      'people/ann': { title: 'Ann' },
    });
    expect(await ask('Who founded Acme?')).toEqual(['people/ann']);
  });

  it('a page that was replaced is not meant', async () => {
    await put({
      'companies/old': { title: 'Acme', status: 'superseded' },
      'companies/acme': { title: 'Acme', links: ['founded<people/ann'] },
      'people/ann': { title: 'Ann' },
    });
    expect(await ask('Who founded Acme?')).toEqual(['people/ann']);
  });

  it('the longest name wins', async () => {
    await put({
      'companies/delta': { title: 'Delta', links: ['founded<people/ann'] },
      'companies/delta-labs': { title: 'Delta Labs', links: ['founded<people/bo'] },
      'people/ann': { title: 'Ann' },
      'people/bo': { title: 'Bo' },
    });
    expect(await ask('Who founded Delta Labs?')).toEqual(['people/bo']);
  });

  it('answers nothing that the reader may not see', async () => {
    await put({
      'companies/acme': { title: 'Acme', links: ['founded<people/x'] },
      x: { title: 'Xu', uri: 'strata://user/eve/memories/people/x', userId: 'eve', links: ['works_at>companies/acme'] },
    });
    expect(await ask('Who works at Acme?', 0)).toEqual([]);
  });
});

describe('hostile queries', () => {
  it.each(['who ', 'who invested in ', '谁', 'led seed ', "'s ", '(', '\ud800'])(
    '%j again and again end',
    async (piece) => {
      await putWorld();
      const plan = await planRelations(piece.repeat(10_000 / piece.length) + 'Acme', index, scope);
      expect(plan).toBeUndefined();
    },
  );
});

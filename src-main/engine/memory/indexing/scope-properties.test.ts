import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import { createWorkerIndex } from '../../../index/create-worker-index.ts';
import { openInlineIndex } from '../../../index/open-inline-index.ts';
import { asking, somePage, someTurn } from '../../../index/testing/samples.ts';
import type { IndexedPage, IndexedTurn, RowOwner } from '../../ports/memory-index.ts';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';

const names = fc.constantFrom('a', 'b');
const labels = fc.uniqueArray(fc.constantFrom('x', 'y', "'z"), { maxLength: 2 });

const ownerOfPage = fc.record<RowOwner>({
  accountId: fc.constantFrom('local', 'other'),
  userId: fc.option(names, { nil: undefined }),
  agentId: fc.option(names, { nil: undefined }),
  sessionUid: fc.option(names, { nil: undefined }),
  visibility: fc.constantFrom('private', 'shared'),
  labels,
});

const ownerOfTurn = fc.record<RowOwner>({
  accountId: fc.constantFrom('local', 'other'),
  userId: names,
  agentId: names,
  sessionUid: names,
  visibility: fc.constantFrom('private', 'shared'),
  labels,
});

const scopes = fc.record<MemoryScope>({
  accountId: fc.constantFrom('local', 'other'),
  userId: names,
  agentId: names,
  sessionUid: fc.option(names, { nil: undefined }),
  otherSessions: fc.boolean(),
  access: fc.constantFrom('all', 'shared', 'none'),
  labels: fc.option(labels, { nil: undefined }),
});

/** The rules of the design, said once more and in another language than the index's. */
function isVisible(owner: RowOwner, isPage: boolean, scope: MemoryScope): boolean {
  if (scope.access === 'none' || owner.accountId !== scope.accountId) return false;
  if (owner.userId !== undefined && owner.userId !== scope.userId) return false;
  if (owner.agentId !== undefined && owner.agentId !== scope.agentId) return false;
  const isOwnSession = owner.sessionUid !== undefined && owner.sessionUid === scope.sessionUid;
  const hasLabel =
    scope.labels === undefined ||
    owner.labels.length === 0 ||
    owner.labels.some((label) => scope.labels?.includes(label));
  if (!hasLabel) return false;
  if (scope.access === 'shared') return isPage ? owner.visibility === 'shared' && (owner.sessionUid === undefined || isOwnSession) : isOwnSession; // prettier-ignore
  return owner.sessionUid === undefined || isOwnSession || (!isPage && scope.otherSessions);
}

const vector = new Float32Array([1, 0]);

function pageOf(owner: RowOwner, at: number): IndexedPage {
  return somePage(`page-${at}`, {
    owner,
    pinned: at % 2 === 0,
    title: 'Northwind',
    aliases: ['Northwinds'],
    links: [{ type: 'mentions', to: `strata://user/ann/memories/page-${at + 1}`, origin: 'text' }],
    levels: { abstract: 'harbour', overview: 'harbour', text: 'harbour' },
  });
}

function turnOf(owner: RowOwner, at: number): IndexedTurn {
  const sessionUid = owner.sessionUid ?? '';
  return someTurn(at, 'harbour', {
    owner,
    sessionUid,
    source: at % 2 === 0 ? 'turn' : 'checkpoint',
    abstract: 'harbour',
  });
}

async function fill(index: MemoryIndexWriter, pages: readonly RowOwner[], turns: readonly RowOwner[]) {
  const owners = new Map<string, { readonly owner: RowOwner; readonly isPage: boolean }>();
  const [indexedPages, indexedTurns] = [pages.map(pageOf), turns.map(turnOf)];
  for (const { uri, owner } of indexedPages) owners.set(uri, { owner, isPage: true });
  for (const { uri, owner } of indexedTurns) owners.set(uri, { owner, isPage: false });
  await index.clear();
  await index.putPages(indexedPages);
  await index.putTurns(indexedTurns, undefined);
  const waiting = await index.pendingTexts('m', 1_000);
  await index.putVectors(
    { id: 'm', dimension: 2 },
    waiting.map(({ rowId, textHash }) => ({ rowId, textHash, vector })),
  );
  return owners;
}

/** URIs that each method answers with in a scope. */
async function answers(index: MemoryIndexWriter, uris: readonly string[], scope: MemoryScope) {
  const { terms: _terms, ...query } = asking('harbour', { scope, limit: 100 });
  const [text, vectors, rows, near, resolved, similar, pinned, out, into, counted] = await Promise.all([
    index.searchText(asking('harbour', { scope, limit: 100 })),
    index.searchVectors({ ...query, vector, embedderId: 'm' }),
    index.rows(uris, scope),
    index.neighbours(
      ['a', 'b'].map((sessionUid) => ({ sessionUid, sequence: 100 })),
      100,
      scope,
    ),
    index.resolveNames(['northwind'], scope),
    index.similarNames(['nortwind'], scope),
    index.pinned(scope, 100),
    index.links(uris, 'out', scope),
    index.links(uris, 'in', scope),
    index.frequencies(['harbour'], scope),
  ]);
  const named = [...resolved.values()].flat();
  const misspelled = [...similar.values()].flat().flatMap(({ pages }) => pages);
  const linked = [...out, ...into].flatMap(({ from, to }) => [from, to]);
  return {
    whole: [text, vectors, rows].map((hits) => new Set(hits.map(({ uri }) => uri))),
    all: [...text, ...vectors, ...rows, ...near, ...named, ...misspelled, ...pinned]
      .map(({ uri }) => uri)
      .concat(linked),
    counted,
  };
}

async function check(open: (file: string) => MemoryIndexWriter, runs: { readonly numRuns: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'strata-scope-'));
  const index = open(join(dir, 'index.db'));
  const lists = { minLength: 1, maxLength: 12 };
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(ownerOfPage, lists),
        fc.array(ownerOfTurn, lists),
        fc.array(scopes, { minLength: 1, maxLength: 4 }),
        async (pages, turns, asked) => {
          const owners = await fill(index, pages, turns);
          for (const scope of asked) {
            const visible = [...owners].filter(([, { owner, isPage }]) => isVisible(owner, isPage, scope));
            const expected = new Set(visible.map(([uri]) => uri));
            const { whole, all, counted } = await answers(index, [...owners.keys()], scope);
            expect(all.filter((uri) => !expected.has(uri))).toEqual([]);
            // Nothing that may be seen is missing either.
            for (const found of whole) expect(found).toEqual(expected);
            if (expected.size === 0) expect(counted).toEqual({ total: 0, byTerm: new Map([['harbour', 0]]) });
          }
        },
      ),
      runs,
    );
  } finally {
    await index.close();
    await rm(dir, { recursive: true, force: true });
  }
}

it('whatever is in the index, no method answers with a row outside the scope, and a search with all inside', async () => {
  await check((file) => openInlineIndex({ file }), { numRuns: 60 });
});

it('the same holds behind a worker', async () => {
  await check((file) => createWorkerIndex({ file }), { numRuns: 10 });
});

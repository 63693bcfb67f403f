import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { IndexHit, MemoryIndex } from '../../ports/memory-index.ts';

/** A page of fewer characters beside one of at least `curatedTimes` as many is a stub of it. */
const longestStub = 300;
const curatedTimes = 4;

/**
 * The one page that a name means. Of several: the active one; else the user's own; else the one that was written out where
 * the others are stubs. Where that leaves more than one the name is ambiguous and means none.
 */
export async function chooseNamed(
  hits: readonly IndexHit[],
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<IndexHit | undefined> {
  const pages = onePerPage(hits.filter(({ source }) => source === 'page'));
  const active = pages.filter(({ status }) => status === 'active');
  if (active.length <= 1) return active[0];
  const own = active.filter(({ uri }) => isOwn(uri, scope));
  if (own.length === 1) return own[0];
  return curated(own.length > 1 ? own : active, index);
}

async function curated(pages: readonly IndexHit[], index: MemoryIndex): Promise<IndexHit | undefined> {
  const texts = await index.texts(pages.map(({ rowId }) => rowId));
  const lengthOf = (page: IndexHit): number => texts.get(page.rowId)?.trim().length ?? 0;
  const [longest, second] = [...pages].sort((a, b) => lengthOf(b) - lengthOf(a));
  if (!longest || !second) return longest;
  const isStub = lengthOf(second) <= longestStub && lengthOf(longest) >= curatedTimes * lengthOf(second);
  return isStub ? longest : undefined;
}

function onePerPage(hits: readonly IndexHit[]): readonly IndexHit[] {
  const byUri = new Map<string, IndexHit>();
  for (const hit of hits) {
    const known = byUri.get(hit.uri);
    if (!known || hit.level > known.level) byUri.set(hit.uri, hit);
  }
  return [...byUri.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

function isOwn(uri: string, scope: MemoryScope): boolean {
  const page = parseUri(uri);
  return page.kind === 'page' && page.owner === 'user' && page.userId === scope.userId;
}

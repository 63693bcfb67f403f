import type { MemoryPage, PageHead } from '../../../../src-shared/model/memory-page.ts';
import type { Candidate } from '../extract/candidate.ts';
import { foldName } from '../indexing/fold-name.ts';
import type { MemoryKind } from '../kinds/memory-kind.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { noteKind } from '../kinds/read-kind.ts';
import { slugOf } from '../pages/file-names.ts';
import { uriFor } from '../pages/page-address.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { containment, wordsOf } from './statement-words.ts';
import type { Known } from './judgement.ts';

export interface Owner {
  readonly userId: string;
  readonly agentId: string;
}

export interface KnownParts {
  readonly pages: Pick<MemoryPages, 'list' | 'find'>;
  readonly kinds: MemoryKinds;
}

/** Pages of one owner that are looked at by title and abstract; more are read from the store's listing page by page. */
const listed = 1_000;
const mostListed = 5_000;
/** Pages besides the candidate's own that are read. */
const mostRead = 6;

/**
 * What the owner's pages know of a candidate: the page of its topic, by address, title or an alias that only one page
 * has, and those that sound like it. Reads the store, not the index, so that what was written a moment ago counts.
 */
export async function findKnown(candidate: Candidate, owner: Owner, { pages, kinds }: KnownParts): Promise<Known> {
  const kind = kinds.require(candidate.kind);
  const heads = await listHeads(kind, owner, pages);
  const place = await placeOf(candidate, kind, owner, heads, pages);
  const wanted = wordsOf(`${candidate.text} ${candidate.title} ${candidate.denies.join(' ')}`);
  const near = heads
    .filter(({ uri, status, problem }) => uri !== place?.uri && status === 'active' && problem === undefined)
    .map((head) => ({ head, share: shareOf(wanted, head) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || (a.head.uri < b.head.uri ? -1 : 1))
    .slice(0, mostRead);
  const others: MemoryPage[] = [];
  for (const { head } of near) {
    const page = await pages.find(head.uri);
    if (page) others.push(page);
  }
  return { place, others };
}

/** Where a page of the candidate's kind and title lies, if its name is free. */
export function preferredAddress({ title }: Pick<Candidate, 'title'>, kind: MemoryKind, owner: Owner): string {
  const path = [kind.folder, kind.single ?? slugOf(title)].filter((part) => part !== '').join('/');
  return uriFor(kind.owner, kind.owner === 'user' ? owner.userId : owner.agentId, path);
}

async function listHeads(kind: MemoryKind, owner: Owner, pages: KnownParts['pages']): Promise<PageHead[]> {
  const filter = kind.owner === 'user' ? { userId: owner.userId } : { agentId: owner.agentId };
  const heads: PageHead[] = [];
  let cursor: string | undefined;
  do {
    const page = await pages.list({ cursor, limit: listed }, filter);
    heads.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && heads.length < mostListed);
  return heads;
}

async function placeOf(
  candidate: Candidate,
  kind: MemoryKind,
  owner: Owner,
  heads: readonly PageHead[],
  pages: KnownParts['pages'],
): Promise<MemoryPage | undefined> {
  const preferred = await pages.find(preferredAddress(candidate, kind, owner));
  if (kind.single !== undefined) return usable(preferred, candidate.kind);
  const names = new Set([candidate.title, candidate.topic, ...candidate.aliases].map(foldName));
  const isNamed = ({ title, aliases }: Pick<PageHead, 'title' | 'aliases'>): boolean =>
    [title, ...aliases].some((name) => names.has(foldName(name)));
  if (preferred && isNamed(preferred)) return usable(preferred, candidate.kind);
  const mayHold = (of: string): boolean => of === candidate.kind || (of === noteKind && isThing(candidate));
  const named = heads.filter((head) => mayHold(head.kind) && head.status === 'active' && isNamed(head));
  // A name that several pages have means none of them.
  return named.length === 1 && named[0] ? usable(await pages.find(named[0].uri), named[0].kind) : undefined;
}

/** People keep pages of people and projects in folders of their own, where no kind says what they are. */
function isThing({ kind }: Candidate): boolean {
  return kind === 'entity';
}

function usable(page: MemoryPage | undefined, kind: string): MemoryPage | undefined {
  return page?.status === 'active' && page.problem === undefined && page.kind === kind ? page : undefined;
}

function shareOf(wanted: ReadonlySet<string>, { title, aliases, abstract }: PageHead): number {
  return containment(wanted, wordsOf(`${title} ${aliases.join(' ')} ${abstract}`));
}

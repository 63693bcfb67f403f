import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import { queryTerms } from '../memory/indexing/segment-words.ts';
import type { IndexHit, MemoryIndex } from '../ports/memory-index.ts';
import { hanCandidates, nameCandidates, type NameCandidate } from './name-candidates.ts';

/** A page that the query names. */
export interface NamedPage {
  readonly page: IndexHit;
  /** As it stands in the query. */
  readonly name: string;
  /** The page is called so by its title, else by an alias. */
  readonly byTitle: boolean;
  /** 1: exactly; less for a name that is misspelled. */
  readonly certainty: number;
}

/** What of a query names pages. */
export interface NamesFound {
  /** Pages that are meant for certain. */
  readonly named: readonly NamedPage[];
  /** URIs of all pages that have one of the names, also of those that several have. */
  readonly namesakes: ReadonlySet<string>;
  /** The names, as they stand in the query. */
  readonly names: readonly string[];
}

export const noNames: NamesFound = { named: [], namesakes: new Set(), names: [] };

/** A slip of the pen leaves this much of a name's certainty. */
const misspelled = 0.8;

/**
 * Pages that are named by title or alias, the longest name at each place of the query. A name that several pages have
 * means none of them (it still counts as a word of their texts). Names nobody has are taken for misspelled when one
 * letter makes them a name.
 */
export async function findNames(
  query: string,
  index: Pick<MemoryIndex, 'resolveNames' | 'similarNames' | 'frequencies'>,
  scope: MemoryScope,
): Promise<NamesFound> {
  const runs = nameCandidates(query);
  const han = hanCandidates(query).map((text): NameCandidate => ({ text, from: -1, to: -1 }));
  const all = [...runs, ...han];
  if (all.length === 0) return noNames;
  const resolved = await index.resolveNames([...new Set(all.map(({ text }) => text))], scope);
  const named: NamedPage[] = [];
  const taken = new Set<number>();
  const namesakes = new Set<string>();
  const names: string[] = [];
  for (const { text, from, to } of all) {
    const pages = active(resolved.get(text));
    if (pages.length === 0 || isTaken(taken, from, to)) continue;
    take(taken, from, to);
    names.push(text);
    for (const { uri } of pages) namesakes.add(uri);
    const [page] = pages;
    if (pages.length === 1 && page && !isSomebodyElse(text, page, query))
      named.push({ page, name: text, byTitle: isTitle(page, text), certainty: 1 });
  }
  for (const one of await findMisspelled(runs, taken, index, scope)) {
    named.push(one);
    namesakes.add(one.page.uri);
    names.push(one.name);
  }
  return { named, namesakes, names };
}

async function findMisspelled(
  runs: readonly NameCandidate[],
  taken: Set<number>,
  index: Pick<MemoryIndex, 'similarNames' | 'frequencies'>,
  scope: MemoryScope,
): Promise<readonly NamedPage[]> {
  const free = runs.filter(({ from, to }) => !isTaken(taken, from, to));
  const words = [...new Set(free.flatMap(({ text }) => queryTerms(text)))];
  if (words.length === 0) return [];
  const { byTerm } = await index.frequencies(words, scope);
  // A word that memory knows is meant as it stands.
  const unknown = free.filter(({ text }) => queryTerms(text).some((word) => (byTerm.get(word) ?? 0) === 0));
  if (unknown.length === 0) return [];
  const similar = await index.similarNames(
    unknown.map(({ text }) => text),
    scope,
  );
  const named: NamedPage[] = [];
  for (const { text, from, to } of unknown) {
    const names = (similar.get(text) ?? []).map((found) => ({ ...found, pages: active(found.pages) }));
    const pages = new Map(
      names.flatMap(({ name, pages: those }) => those.map((page) => [page.uri, { name, page, of: those.length }])),
    );
    const [only] = pages.values();
    if (pages.size !== 1 || only?.of !== 1 || isTaken(taken, from, to)) continue;
    take(taken, from, to);
    named.push({ page: only.page, name: text, byTitle: isTitle(only.page, only.name), certainty: misspelled });
  }
  return named;
}

function active(pages: readonly IndexHit[] | undefined): readonly IndexHit[] {
  return (pages ?? []).filter(({ status }) => status === 'active');
}

function isTitle(page: IndexHit, name: string): boolean {
  return queryTerms(page.title).join(' ') === queryTerms(name).join(' ');
}

/** "Ann Lee" where the page that Ann names is called Ann Berg: the same first name and another family. */
function isSomebodyElse(name: string, page: IndexHit, query: string): boolean {
  const [first, ...others] = page.title.toLowerCase().split(/\s+/u);
  if (others.length === 0 || name.toLowerCase() !== first || !/^\p{Lu}/u.test(name)) return false;
  const behind = /^ (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)(\p{Lu}\p{Ll}{2,60})/u;
  for (let at = query.indexOf(name); at >= 0; at = query.indexOf(name, at + name.length)) {
    const family = behind.exec(query.slice(at + name.length, at + name.length + 64))?.[1]?.toLowerCase();
    if (family === undefined || others.includes(family)) return false;
  }
  return true;
}

/** A shorter name inside a longer one is part of it. Runs of Chinese have no places and may overlap. */
function isTaken(taken: ReadonlySet<number>, from: number, to: number): boolean {
  for (let place = from; place >= 0 && place <= to; place += 1) if (taken.has(place)) return true;
  return false;
}

function take(taken: Set<number>, from: number, to: number): void {
  for (let place = from; place >= 0 && place <= to; place += 1) taken.add(place);
}

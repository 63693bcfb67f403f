import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { Word } from '../../memory/links/words.ts';
import type { IndexHit, MemoryIndex } from '../../ports/memory-index.ts';
import { chooseNamed } from './choose-named.ts';
import type { RelationAnchor } from './relation-plan.ts';
import { isQuestionWord } from './question-words.ts';

export interface PlacedAnchor extends RelationAnchor {
  /** First word of the query that it takes, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** Titles of more words are looked for by text only. A Chinese character is a word here. */
const longestName = 14;
const mostAnchors = 4;

/**
 * Pages whose title or alias stands in the query, in its order. The longest name wins; a name of several pages names none of
 * them, and neither do its parts.
 */
export async function findAnchors(
  query: string,
  words: readonly Word[],
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<readonly PlacedAnchor[]> {
  const spans = spansOf(query, words);
  if (spans.length === 0) return [];
  const pages = await index.resolveNames([...new Set(spans.map(({ name }) => name))], scope);
  const taken = new Set<number>();
  const anchors: PlacedAnchor[] = [];
  for (const { name, from, to } of spans.sort((a, b) => b.name.length - a.name.length || a.from - b.from)) {
    const hits: readonly IndexHit[] = pages.get(name) ?? [];
    if (hits.length === 0 || rangeHas(taken, from, to)) continue;
    for (let at = from; at < to; at += 1) taken.add(at);
    const page = await chooseNamed(hits, index, scope);
    if (page) anchors.push({ name, page, from, to });
  }
  const chosen = anchors.slice(0, mostAnchors).sort((a, b) => a.from - b.from);
  return chosen.filter(({ page }, at) => chosen.findIndex((other) => other.page.uri === page.uri) === at);
}

function spansOf(query: string, words: readonly Word[]): { name: string; from: number; to: number }[] {
  const spans: { name: string; from: number; to: number }[] = [];
  for (const [from, first] of words.entries()) {
    const last = Math.min(words.length, from + longestName);
    for (let to = from + 1; to <= last; to += 1) {
      const end = words[to - 1];
      if (!end) break;
      const isSingle = to === from + 1;
      if (isSingle && isQuestionWord(first)) continue;
      spans.push({ name: withBracket(query, first.start, end.end), from, to });
    }
  }
  return spans;
}

/** A bracket that was opened inside a name belongs to it: `Demo day (spring)`. */
function withBracket(query: string, start: number, end: number): string {
  const name = query.slice(start, end);
  const open = Math.max(name.lastIndexOf('('), name.lastIndexOf('（'));
  const isOpen = open >= 0 && !/[)）]/.test(name.slice(open));
  return isOpen && /^[)）]/.test(query.slice(end)) ? query.slice(start, end + 1) : name;
}

function rangeHas(taken: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (taken.has(at)) return true;
  return false;
}

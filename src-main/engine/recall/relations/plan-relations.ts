import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { PageSort } from '../../memory/links/page-sort.ts';
import { contradictsSort, sortOfUri, sortOfWord } from '../../memory/links/page-sort.ts';
import type { PhraseHit } from '../../memory/links/phrase-book.ts';
import { findPhrases } from '../../memory/links/phrase-book.ts';
import type { Word } from '../../memory/links/words.ts';
import { wordsOf } from '../../memory/links/words.ts';
import type { MemoryIndex } from '../../ports/memory-index.ts';
import type { PlacedAnchor } from './find-anchors.ts';
import { findAnchors } from './find-anchors.ts';
import { asksForConnection, asksForSubject, readWanted } from './question-words.ts';
import type { Wanted } from './question-words.ts';
import type { RelationBranch, RelationPlan, RelationStep } from './relation-plan.ts';

/** A question is looked at no further (characters, words): longer queries are texts, and text search reads those. */
const longestQuery = 600;
const mostWords = 60;
const mostSteps = 3;

/**
 * What of a query names pages, and which relation of them is asked for; undefined when it names none. It reads grammar, not
 * sentences: which side of a relation's phrase the named page stands on says whether it is the subject or the object, and
 * the phrases are those by which relations are read out of pages.
 */
export async function planRelations(
  query: string,
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<RelationPlan | undefined> {
  const text = query.slice(0, longestQuery).toWellFormed();
  const words = wordsOf(text).slice(0, mostWords);
  const anchors = await findAnchors(text, words, index, scope);
  if (anchors.length === 0) return undefined;
  const wanted = readWanted(words);
  const branches = branchesOf(words, anchors, wanted);
  const types = [...new Set(branches.flatMap(({ steps }) => steps.flatMap((step) => step.types ?? [])))];
  const isConnection = anchors.length > 1 && asksForConnection(words);
  return {
    shape: isConnection ? 'connect' : types.length > 0 ? 'follow' : 'near',
    anchors: anchors.map(({ name, page }) => ({ name, page })),
    branches,
    types,
    hops: Math.max(1, ...branches.map(({ steps }) => steps.length)),
    wanted: wanted.sorts,
  };
}

function branchesOf(
  words: readonly Word[],
  anchors: readonly PlacedAnchor[],
  wanted: Wanted,
): readonly RelationBranch[] {
  const inAnchor = (at: number): boolean => anchors.some(({ from, to }) => from <= at && at < to);
  const hits = findPhrases(words, { questions: true }, inAnchor);
  const groups = groupsOf(hits.filter(({ from, noun }) => noun === undefined || from !== wanted.noun));
  return anchors.map((anchor) => {
    const own = groups.filter((group) => nearest(anchors, group) === anchor);
    const steps = own
      .sort((a, b) => distance(a, anchor) - distance(b, anchor))
      .slice(0, mostSteps)
      .flatMap((group, at) => stepOf(words, group, anchor, at === 0, wanted.sorts) ?? []);
    return { anchor: { name: anchor.name, page: anchor.page }, steps };
  });
}

/** Phrases at one place: one step. Of phrases that lie within others the longer ones hold. */
function groupsOf(hits: readonly PhraseHit[]): readonly (readonly PhraseHit[])[] {
  const longest = hits.filter(
    (hit) =>
      !hits.some((other) => other.from <= hit.from && hit.to <= other.to && other.to - other.from > hit.to - hit.from),
  );
  const groups: PhraseHit[][] = [];
  for (const hit of longest) {
    const group = groups.at(-1);
    const end = Math.max(...(group ?? []).map(({ to }) => to));
    if (group && hit.from < end) group.push(hit);
    else groups.push([hit]);
  }
  return groups;
}

function nearest(anchors: readonly PlacedAnchor[], group: readonly PhraseHit[]): PlacedAnchor | undefined {
  // At equal distance the one that follows: a verb's object stands closer to it than its subject.
  return [...anchors].sort((a, b) => distance(group, a) - distance(group, b) || b.from - a.from)[0];
}

function distance(group: readonly PhraseHit[], anchor: PlacedAnchor): number {
  const [first] = group;
  if (!first) return Number.POSITIVE_INFINITY;
  return first.from >= anchor.to ? first.from - anchor.to : anchor.from - first.to;
}

function stepOf(
  words: readonly Word[],
  group: readonly PhraseHit[],
  anchor: PlacedAnchor,
  isFirst: boolean,
  wanted: readonly PageSort[],
): RelationStep | undefined {
  const anchorSort = isFirst ? sortOfAnchor(anchor) : undefined;
  const readings = group.flatMap((hit) => {
    const direction = directionOf(words, hit, anchor, wanted);
    const fitting = fitDirection(hit, direction, anchorSort);
    return fitting ? [{ type: hit.relation.type, direction: fitting }] : [];
  });
  const [first] = readings;
  if (!first) return undefined;
  const types = readings.filter(({ direction }) => direction === first.direction).map(({ type }) => type);
  return { types: [...new Set(types)], direction: first.direction };
}

function directionOf(
  words: readonly Word[],
  hit: PhraseHit,
  anchor: PlacedAnchor,
  wanted: readonly PageSort[],
): 'in' | 'out' {
  const { subject, object } = hit.relation;
  if (hit.noun === undefined && hit.order !== 'backward' && asksForSubject(words, hit.from)) return 'in';
  if (hit.order === 'asking') {
    const asSubject = wanted.some((sort) => subject.includes(sort));
    const asObject = wanted.some((sort) => object.includes(sort));
    if (asSubject !== asObject) return asSubject ? 'in' : 'out';
  }
  const isAfter = anchor.from >= hit.to;
  return isAfter === (hit.order === 'backward') ? 'out' : 'in';
}

/** A page that cannot be what the words make of it is taken for the other side, if it can be that. */
function fitDirection(hit: PhraseHit, direction: 'in' | 'out', sort: PageSort | undefined): 'in' | 'out' | undefined {
  const { subject, object } = hit.relation;
  const cannotBeObject = contradictsSort(sort, object);
  const cannotBeSubject = contradictsSort(sort, subject);
  if (direction === 'in' && cannotBeObject) return cannotBeSubject ? undefined : 'out';
  if (direction === 'out' && cannotBeSubject) return cannotBeObject ? undefined : 'in';
  return direction;
}

function sortOfAnchor({ page }: PlacedAnchor): PageSort | undefined {
  return sortOfUri(page.uri) ?? sortOfWord(page.kind);
}

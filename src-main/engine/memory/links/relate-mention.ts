import type { Mention, ReadText } from './mentions.ts';
import type { PageSort } from './page-sort.ts';
import { contradictsSort } from './page-sort.ts';
import type { PhraseHit } from './phrase-book.ts';

/** Words between a phrase and the name that it is about. */
const reachBefore = 16;
const reachAfter = 10;
/** A name that is no link says less; the phrase must be close. */
const reachOfName = 1;
const longestList = 30;
/** Words before a phrase in which a negation or a refusal turns it round. */
const reachOfNegation = 3;

export interface Relation {
  readonly type: string;
  /** The other page is the subject. */
  readonly incoming: boolean;
}

/** A text in which it is looked up quickly what stands before and after a word. */
export interface RelationText extends ReadText {
  /** By the word after the last, and by the first word. */
  readonly phrasesByEnd: readonly PhraseHit[];
  readonly phrases: readonly PhraseHit[];
  readonly pageSort: PageSort | undefined;
}

/**
 * What a text says of the page and one other: the nearest phrase before the mention, else the nearest after it, in the same
 * sentence. A phrase that has another subject (`[Ann](…) founded [Acme](…)` on a third page) says nothing of the page.
 */
export function relateMention(text: RelationText, index: number): Relation | undefined {
  const mention = text.mentions[index];
  if (!mention) return undefined;
  return before(text, mention, index) ?? after(text, mention, index);
}

function before(text: RelationText, mention: Mention, index: number): Relation | undefined {
  const { phrasesByEnd } = text;
  const sentence = text.words[mention.from]?.sentence;
  for (let at = lastEnding(phrasesByEnd, mention.from); at >= 0; at -= 1) {
    const hit = phrasesByEnd[at];
    if (
      !hit ||
      mention.from - hit.to > (mention.isLink ? reachBefore : reachOfName) ||
      text.words[hit.from]?.sentence !== sentence
    )
      break;
    if (hit.noun !== undefined && isApart(text, hit.to, mention.from)) continue;
    if (hit.order === 'asking' || isNegated(text, hit.from) || isTaken(text, hit)) continue;
    const relation = relationOf(hit, hit.order === 'backward', mention, text.pageSort);
    if (!relation) continue;
    return hasOtherSubject(text, hit, index) ? undefined : relation;
  }
  return undefined;
}

function after(text: RelationText, mention: Mention, index: number): Relation | undefined {
  const sentence = text.words[mention.from]?.sentence;
  const last = lastOfList(text, index);
  const from = text.mentions[last]?.to ?? mention.to;
  const next = text.mentions[last + 1];
  for (let at = firstBeginning(text.phrases, from); at < text.phrases.length; at += 1) {
    const hit = text.phrases[at];
    if (
      !hit ||
      hit.from - from > (mention.isLink ? reachAfter : reachOfName) ||
      text.words[hit.from]?.sentence !== sentence
    )
      break;
    if (next !== undefined && next.from < hit.from) break;
    if (hit.order === 'asking' || isNegated(text, hit.from)) continue;
    const relation = relationOf(hit, hit.order === 'forward', mention, text.pageSort);
    if (!relation) continue;
    const objectIsOther = next !== undefined && text.words[next.from]?.sentence === sentence && next.from - hit.to < 8;
    if (objectIsOther && !hasSelf(text, hit.to, next.from)) continue;
    return relation;
  }
  return undefined;
}

function relationOf(
  hit: PhraseHit,
  incoming: boolean,
  mention: Mention,
  pageSort: PageSort | undefined,
): Relation | undefined {
  const { type, subject, object } = hit.relation;
  const [subjectSort, objectSort] = incoming ? [mention.sort, pageSort] : [pageSort, mention.sort];
  const isPossible = !contradictsSort(subjectSort, subject) && !contradictsSort(objectSort, object);
  return isPossible ? { type, incoming } : undefined;
}

/** A noun such as `founder` must stand right before the name, or before the list that the name is in. */
function isApart(text: RelationText, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (!joiners.has(text.words[at]?.word ?? '') && !isMentioned(text, at)) return true;
  }
  return false;
}

/** Inside of a name or a link's label nothing is said. */
function isTaken(text: RelationText, hit: PhraseHit): boolean {
  return isMentioned(text, hit.from) && isMentioned(text, hit.to - 1);
}

function isMentioned(text: RelationText, word: number): boolean {
  let low = 0;
  let high = text.mentions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((text.mentions[middle]?.to ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  const mention = text.mentions[low];
  return mention !== undefined && mention.from <= word;
}

/** The last name before the phrase is another page's, and nothing between them stands for this page. */
function hasOtherSubject(text: RelationText, hit: PhraseHit, index: number): boolean {
  const sentence = text.words[hit.from]?.sentence;
  for (let at = index - 1; at >= 0; at -= 1) {
    const other = text.mentions[at];
    if (!other || text.words[other.from]?.sentence !== sentence || hit.from - other.to > reachBefore) return false;
    if (other.to > hit.from) continue;
    if (!other.isLink) return false;
    // `uses A and runs on B`: the second verb has the first one's subject.
    if (hit.from - other.to === 1 && conjunctions.has(text.words[other.to]?.word ?? '')) continue;
    return !hasSelf(text, other.to, hit.from);
  }
  return false;
}

function hasSelf(text: RelationText, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.isSelf(at)) return true;
  return false;
}

/** `A, B and C`: what is said after C is said of all three. */
function lastOfList(text: RelationText, index: number): number {
  let last = index;
  while (last - index < longestList) {
    const here = text.mentions[last];
    const next = text.mentions[last + 1];
    if (!here || !next || next.from - here.to > 2) return last;
    for (let at = here.to; at < next.from; at += 1) if (!joiners.has(text.words[at]?.word ?? '')) return last;
    if (next.from === here.to && text.words[here.to]?.sentence !== text.words[here.from]?.sentence) return last;
    last += 1;
  }
  return last;
}

function isNegated(text: RelationText, from: number): boolean {
  const sentence = text.words[from]?.sentence;
  for (let at = from - 1; at >= from - reachOfNegation; at -= 1) {
    const word = text.words[at];
    if (word?.sentence !== sentence) return false;
    if (word !== undefined && (negations.has(word.word) || word.word.endsWith("n't"))) return true;
  }
  return false;
}

function lastEnding(hits: readonly PhraseHit[], word: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.to ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function firstBeginning(hits: readonly PhraseHit[], word: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.from ?? 0) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

const conjunctions: ReadonlySet<string> = new Set('and but then later also 并 且 后'.split(' '));
const joiners: ReadonlySet<string> = new Set(
  'and or & plus with as well both the a an like such including 和 与 及 跟 以 还 有 是 为'.split(' '),
);
const negations: ReadonlySet<string> = new Set(
  'not never no nor without declined refused passed against neither cannot 没 不 未 并非 拒 绝 非'.split(' '),
);

import { linkSpans } from './link-spans.ts';
import type { PageSort } from './page-sort.ts';
import { sortOfUri } from './page-sort.ts';
import type { LinkTarget } from './read-target.ts';
import { named, readAddressTarget, readTarget } from './read-target.ts';
import type { Word } from './words.ts';
import { fold, wordsOf } from './words.ts';

/** Another page in the text: a link, or a name that could be one. */
export interface Mention {
  readonly target: LinkTarget;
  readonly sort: PageSort | undefined;
  /** First word, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly isLink: boolean;
}

export interface ReadText {
  readonly words: readonly Word[];
  /** In order, never overlapping. */
  readonly mentions: readonly Mention[];
  /** Words that name the page itself, or stand for it. */
  readonly isSelf: (index: number) => boolean;
}

/** Names of more words are none. */
const longestRun = 6;

/**
 * Words of a text with its links and names. Of a link only its label is text. A name is a run of words that begin with a
 * capital letter; whether it names a page is seen when the link is read.
 * @param selfNames title and aliases of the page; with `parts`, each word of them names it too (people by their first name)
 */
export function readMentions(
  text: string,
  uri: string,
  self: { readonly names: readonly string[]; readonly parts: boolean },
): ReadText {
  const { words, links } = readLinks(text, uri);
  const selfWords = selfWordsOf(words, self);
  const isSelf = (index: number): boolean => selfWords.has(index);
  const taken = new Set<number>();
  for (const link of links) addRange(taken, link.from, link.to);
  const names = nameRuns(words, (index) => taken.has(index) || isSelf(index));
  const mentions = [...links, ...names].sort((a, b) => a.from - b.from);
  return { words, mentions, isSelf };
}

function readLinks(text: string, uri: string): { words: readonly Word[]; links: readonly Mention[] } {
  const parts: string[] = [];
  const places: { target: LinkTarget | undefined; from: number; to: number }[] = [];
  let at = 0;
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const span of linkSpans(text)) {
    add(text.slice(at, span.start));
    // Brackets keep a link apart from the words around it, and a sentence may begin with one.
    add('[');
    const from = length;
    add(span.label);
    const target = span.form === 'wiki' ? readTarget(span.target, uri) : readAddressTarget(span.target, uri);
    places.push({ target, from, to: length });
    add(']');
    at = span.end;
  }
  add(text.slice(at));
  const words = wordsOf(parts.join(''));
  return { words, links: mentionsAt(places, words) };
}

function mentionsAt(
  places: readonly { target: LinkTarget | undefined; from: number; to: number }[],
  words: readonly Word[],
): readonly Mention[] {
  const mentions: Mention[] = [];
  let index = 0;
  for (const { target, from: start, to: end } of places) {
    while (index < words.length && (words[index]?.end ?? 0) <= start) index += 1;
    const from = index;
    while (index < words.length && (words[index]?.start ?? 0) < end) index += 1;
    if (target) mentions.push({ target, sort: sortOfUri(target.to), from, to: index, isLink: true });
  }
  return mentions;
}

function nameRuns(words: readonly Word[], isTaken: (index: number) => boolean): readonly Mention[] {
  const runs: Mention[] = [];
  let at = 0;
  while (at < words.length) {
    const from = at;
    while (at < words.length && at - from < longestRun && isName(words, at, from, isTaken)) at += 1;
    if (at === from) at += 1;
    else {
      const run = runOf(words, from, at);
      if (run) runs.push(run);
    }
  }
  return runs;
}

function isName(words: readonly Word[], at: number, from: number, isTaken: (index: number) => boolean): boolean {
  const word = words[at];
  const before = words[at - 1];
  if (!word || isTaken(at)) return false;
  if (at === from) return word.capital && word.end - word.start > 1 && !openers.has(word.word);
  const isClose = before !== undefined && before.sentence === word.sentence && word.start - before.end <= 1;
  return isClose && (word.capital || /^\d{1,4}$/.test(word.word));
}

/** The first word of a sentence has a capital anyway: alone it is a name only with another capital or a digit in it. */
function runOf(words: readonly Word[], from: number, to: number): Mention | undefined {
  const first = words[from];
  const isOpening = first !== undefined && words[from - 1]?.sentence !== first.sentence;
  if (isOpening && to - from === 1) return undefined;
  const name = words
    .slice(from, to)
    .map(({ raw }) => raw)
    .join(' ');
  const target = named(name);
  return target && { target, sort: undefined, from, to, isLink: false };
}

function selfWordsOf(
  words: readonly Word[],
  { names, parts }: { readonly names: readonly string[]; readonly parts: boolean },
): ReadonlySet<number> {
  const found = new Set<number>();
  const spelled = names.map((name) => wordsOf(name).map(({ word }) => word)).filter((name) => name.length > 0);
  const byFirst = Map.groupBy(spelled.slice(0, 50), ([first]) => first ?? '');
  const single = new Set(parts ? spelled.flat().filter((word) => word.length > 2) : []);
  for (const [index, { word, capital }] of words.entries()) {
    if (pronouns.has(word) || (capital && single.has(word))) found.add(index);
    for (const name of byFirst.get(word) ?? []) {
      const isHere = name.every((part, offset) => words[index + offset]?.word === part);
      if (isHere) addRange(found, index, index + name.length);
    }
  }
  return found;
}

function addRange(places: Set<number>, from: number, to: number): void {
  for (let at = from; at < to; at += 1) places.add(at);
}

/** They stand for what the page is about more often than for anything else. */
const pronouns: ReadonlySet<string> = new Set(['he', 'she', 'they', 'it', 'we', '他', '她', '它'].map(fold));

const openers: ReadonlySet<string> = new Set(
  (
    'the a an this that these those his her their its our my your he she they it we i you in on at by for from with as of to and or but if when ' +
    'while before after since until during who what which where why how not no yes is was are were be been has have had do does did will would can could may ' +
    'should also however although though because then there here each some any all most many more one two three first last next later early recent recently ' +
    'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
);

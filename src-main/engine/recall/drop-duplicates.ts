import { cosine } from './cosine.ts';
import type { RowWords } from './row-words.ts';
import type { Scored } from './scored-row.ts';
import { isTelling } from './stem-traits.ts';

/** Texts whose words overlap so far say the same (share of all words of both). */
const sameShare = 0.85;
/** Or texts as near in meaning as this, which share so many words and differ in no number, name, time or denial. */
const sameMeaning = 0.9;
const sameEnough = 0.5;
/** Candidates that are compared with each other; those behind them are not packed anyway. */
const compared = 80;

/**
 * Finds candidates that say what a better one says, by their words, and by their vectors where both have one.
 * @param candidates best first
 * @returns by URI: the URI of the better one
 */
export function findDuplicates(candidates: readonly Scored[], book: RowWords): ReadonlyMap<string, string> {
  const duplicates = new Map<string, string>();
  const kept: Told[] = [];
  const marks = new Uint8Array(book.count);
  for (const { hit, words, text, vector } of candidates.slice(0, compared)) {
    const told = { uri: hit.uri, speaker: hit.speaker, text, vector, words: words.distinct };
    for (const word of told.words) marks[word] = 1;
    const same = told.words.length === 0 ? undefined : kept.find((other) => isSame(told, other, marks, book));
    for (const word of told.words) marks[word] = 0;
    if (same) duplicates.set(hit.uri, same.uri);
    else kept.push(told);
  }
  return duplicates;
}

interface Told {
  readonly uri: string;
  readonly speaker: string | undefined;
  readonly text: string;
  readonly vector: Int8Array | undefined;
  /** Stems, each once. */
  readonly words: Int32Array;
}

/** @param marks a 1 at each stem of the first one */
function isSame(one: Told, other: Told, marks: Uint8Array, book: RowWords): boolean {
  const shared = overlap(one.words, other.words, marks);
  if (shared >= sameShare) return sayNothingElse(one, other, book);
  if (shared < sameEnough || one.speaker !== other.speaker || !one.vector || !other.vector) return false;
  return cosine(one.vector, other.vector) > sameMeaning && sayNothingElse(one, other, book);
}

/** Vectors hardly tell Tuesday from Friday, three from four, Ana from Ben, or yes from no. */
function sayNothingElse(one: Told, other: Told, book: RowWords): boolean {
  const differ = differing(new Set(one.words), new Set(other.words));
  if (differ.some((word) => (book.traitsOf(word) & isTelling) !== 0)) return false;
  return differing(namesIn(one.text), namesIn(other.text)).length === 0;
}

function differing<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): T[] {
  return [...[...one].filter((word) => !other.has(word)), ...[...other].filter((word) => !one.has(word))];
}

function namesIn(text: string): Set<string> {
  return new Set(text.slice(0, mostRead).match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu));
}

/** UTF-16 units. */
const mostRead = 4_000;

function overlap(one: Int32Array, other: Int32Array, marks: Uint8Array): number {
  // Too different in length, whatever they have in common.
  if (Math.min(one.length, other.length) < Math.max(one.length, other.length) * sameEnough) return 0;
  let shared = 0;
  for (const word of other) shared += marks[word] ?? 0;
  return shared / (one.length + other.length - shared);
}

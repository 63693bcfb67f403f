import { cosine } from './cosine.ts';
import type { Scored } from './scored-row.ts';
import { isTelling } from './turn-traits.ts';

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
export function findDuplicates(candidates: readonly Scored[]): ReadonlyMap<string, string> {
  const duplicates = new Map<string, string>();
  const kept: Told[] = [];
  for (const { hit, words, text, vector } of candidates.slice(0, compared)) {
    const told = { uri: hit.uri, speaker: hit.speaker, text, vector, words: new Set(words) };
    const same = told.words.size === 0 ? undefined : kept.find((other) => isSame(told, other));
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
  readonly words: ReadonlySet<string>;
}

function isSame(one: Told, other: Told): boolean {
  const shared = overlap(one.words, other.words);
  if (shared >= sameShare) return sayNothingElse(one, other);
  if (shared < sameEnough || one.speaker !== other.speaker || !one.vector || !other.vector) return false;
  return cosine(one.vector, other.vector) > sameMeaning && sayNothingElse(one, other);
}

/** Vectors hardly tell Tuesday from Friday, three from four, Ana from Ben, or yes from no. */
function sayNothingElse(one: Told, other: Told): boolean {
  if (differing(one.words, other.words).some(isTelling)) return false;
  return differing(namesIn(one.text), namesIn(other.text)).length === 0;
}

function differing(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...[...one].filter((word) => !other.has(word)), ...[...other].filter((word) => !one.has(word))];
}

function namesIn(text: string): Set<string> {
  return new Set(text.slice(0, mostRead).match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu));
}

/** UTF-16 units. */
const mostRead = 4_000;

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  // Too different in length, whatever they have in common.
  if (few.size < many.size * sameEnough) return 0;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}

import type { Pacer } from '../compact/pacer.ts';

/** More words than these are not looked for: a query is a question, not a text. */
const mostTerms = 24;
/** How often a word occurs matters up to here. */
const mostOccurrences = 50;
/** Characters that are looked through at once, some milliseconds. */
const pieceLength = 200_000;

/** Words that say nothing about what is looked for. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been but by can did do does for from had has have how i if in into is it its ' +
    'me my no not of on or our so than that the their them then there these they this to us was we were what when ' +
    'where which who why will with would you your 的 了 吗 呢 我们 你们 他们 什么 怎么 为什么 如何 哪个 哪些 是否 这个 那个'
  ).split(' '),
);

/**
 * What a query looks for, lower-case. Chinese has no spaces between words; two characters beside each other mostly are
 * one. A query of nothing but words without meaning is looked for as it is.
 */
export function queryTerms(query: string): string[] {
  const lower = query.toLowerCase();
  const words = (lower.match(/[\p{L}\p{N}_./:#@+-]{2,}/gu) ?? []).map((word) => word.replace(/^[.:+-]+|[.:]+$/g, ''));
  const terms = words.flatMap((word) => {
    const runs = word.match(/\p{Script=Han}+|\P{Script=Han}+/gu) ?? [];
    return runs.flatMap((run) => (/\p{Script=Han}/u.test(run) && run.length > 2 ? pairs(run) : [run]));
  });
  const distinct = [...new Set(terms)].filter((term) => term !== '');
  const telling = distinct.filter((term) => !stopWords.has(term));
  const found = telling.length > 0 ? telling : distinct;
  const trimmed = lower.trim();
  return found.length > 0 || trimmed === '' ? found.slice(0, mostTerms) : [trimmed.slice(0, 200)];
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** How often each term occurs in a text, in the order of the terms; undefined where none does. */
export function countTerms(text: string, terms: readonly string[]): number[] | undefined {
  const counts = terms.map(() => 0);
  addCounts(counts, text, text.length, terms);
  return counts.some((count) => count > 0) ? counts : undefined;
}

/** As `countTerms`, with pauses: one text may be all that a turn of many megabytes says. */
export async function countTermsOf(
  text: string,
  terms: readonly string[],
  pacer: Pacer,
): Promise<number[] | undefined> {
  const counts = terms.map(() => 0);
  for (const piece of pieces(text, terms)) {
    addCounts(counts, piece.text, piece.own, terms);
    if (counts.every((count) => count >= mostOccurrences)) break;
    await pacer.pauseIfDue();
  }
  return counts.some((count) => count > 0) ? counts : undefined;
}

/** Where the terms stand closest to the start of a text; 0 where none is in it. */
export async function firstTerm(text: string, terms: readonly string[], pacer: Pacer): Promise<number> {
  if (terms.length === 0) return 0;
  for (const piece of pieces(text, terms)) {
    const lower = piece.text.toLowerCase();
    const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    if (places.length > 0) return piece.start + Math.min(...places);
    await pacer.pauseIfDue();
  }
  return 0;
}

/** @param own occurrences that begin behind so many characters are another piece's */
function addCounts(counts: number[], text: string, own: number, terms: readonly string[]): void {
  const lower = text.toLowerCase();
  terms.forEach((term, index) => {
    let count = counts[index] ?? 0;
    let at = lower.indexOf(term);
    while (at !== -1 && at < own && count < mostOccurrences) {
      count += 1;
      at = lower.indexOf(term, at + term.length);
    }
    counts[index] = count;
  });
}

/** A text by parts that overlap by as much as a term needs that begins at the end of one. */
function* pieces(text: string, terms: readonly string[]): Generator<{ start: number; own: number; text: string }> {
  const overlap = Math.max(0, ...terms.map((term) => term.length - 1));
  for (let start = 0; start < text.length; start += pieceLength) {
    const own = Math.min(pieceLength, text.length - start);
    yield { start, own, text: text.slice(start, start + own + overlap) };
  }
}

export interface Found<T> {
  readonly item: T;
  /** Of the text (UTF-16 units). */
  readonly length: number;
  readonly counts: readonly number[];
}

/**
 * Best first, equals in the order given. As in BM25 rare terms weigh more, repetition counts ever less, and long texts
 * need more of it; lengths go by doublings, so that texts that hardly differ are equals.
 * @param searched texts that were looked at, found or not
 */
export function rankFound<T>(found: readonly Found<T>[], searched: number): T[] {
  const terms = found[0]?.counts.length ?? 0;
  const weights = Array.from({ length: terms }, (_, term) => {
    const holding = found.reduce((sum, { counts }) => sum + ((counts[term] ?? 0) > 0 ? 1 : 0), 0);
    return Math.log(1 + (searched - holding + 0.5) / (holding + 0.5));
  });
  const scored = found.map(({ item, length, counts }, order) => {
    const longer = 1 + 0.25 * Math.max(0, Math.floor(Math.log2(Math.max(1, length) / 500)));
    const score = counts.reduce((sum, count, term) => sum + (weights[term] ?? 0) * (count / (count + 1.2 * longer)), 0);
    return { item, score, order };
  });
  return scored.sort((a, b) => b.score - a.score || a.order - b.order).map(({ item }) => item);
}

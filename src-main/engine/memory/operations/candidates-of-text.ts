import type { Candidate } from '../extract/candidate.ts';
import { extractByRules } from '../extract/rules/extract-by-rules.ts';
import { freeStatement } from '../extract/rules/free-statement.ts';
import { localDay } from '../extract/rules/resolve-dates.ts';
import { isChinese } from '../extract/rules/statement-of.ts';

export interface StoreText {
  readonly text: string;
  readonly kind: string | undefined;
  readonly title: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly timeZone: string;
  readonly sources: readonly string[];
}

/** More is a document, not something to remember (sentences). */
const mostSentences = 50;
/** Longest that is one statement (characters). */
const longestStatement = 1_000;

/**
 * What a caller asks to be kept, sentence by sentence: each by the rule that knows it, else as it stands. The caller
 * knows what it wants, so that nothing is left out for how it is said.
 */
export function candidatesOfText(given: StoreText): Candidate[] {
  const sentences = sentencesOf(given.text).slice(0, mostSentences);
  return sentences
    .flatMap((sentence) => candidatesOf(sentence, given))
    .map((candidate) => withWishes(candidate, given));
}

/** Sentences beyond those that are looked at. */
export function sentencesLeftOut(text: string): number {
  return Math.max(0, sentencesOf(text).length - mostSentences);
}

function candidatesOf(sentence: string, { at, timeZone, sources }: StoreText): Candidate[] {
  const known = extractByRules({ text: sentence, sources, at, timeZone }).filter(({ signal }) => signal !== 'forget');
  if (known.length > 0) return known.map((candidate) => ({ ...candidate, explicit: true }));
  const span = { text: sentence, masked: sentence };
  const language = isChinese(sentence) ? 'zh' : 'en';
  const free = freeStatement(span, { sources, said: localDay(at, timeZone), language, explicit: true }, false);
  return free ? [free] : [];
}

/** A kind and a title that the caller named come before those that were guessed. */
function withWishes(candidate: Candidate, { kind, title }: StoreText): Candidate {
  const named = title === undefined ? candidate : { ...candidate, title, topic: title.toLowerCase(), aliases: [] };
  return kind === undefined ? named : { ...named, kind };
}

function sentencesOf(text: string): string[] {
  const lines = withKeysOnOneLine(text)
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim());
  return lines
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=\p{Lu}|\p{Script=Han})|(?<=[。！？；])(?=\S)/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) =>
      sentence.length <= longestStatement ? sentence : `${sentence.slice(0, longestStatement).toWellFormed()}…`,
    );
}

/** A key over several lines is known by its first line; the others are looked at together with it. */
function withKeysOnOneLine(text: string): string {
  return text.replace(
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    (key) => key.replace(/\s+/g, ' '),
  );
}

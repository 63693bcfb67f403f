import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import type { Candidate } from '../extract/candidate.ts';
import type { MemoryKind } from '../kinds/memory-kind.ts';
import { contradicts } from './contradicts.ts';
import type { Judgement, JudgementCode, Known, Strike } from './judgement.ts';
import { statementLines, type StatementLine } from './page-lines.ts';
import { containment, readStatement, similarity, wordsOf, type StatementReading } from './statement-words.ts';

/** As much of the words in common makes the same statement of two (Dice). */
const nearDuplicate = 0.92;
/** Pages that are named as compared with. */
const mostCompared = 10;

interface SeenLine extends StatementLine {
  readonly page: MemoryPage;
  readonly reading: StatementReading;
  readonly similarity: number;
}

/**
 * A candidate against what is known: what is new is added, what contradicts takes the place of the old, what is known
 * already is left. Pure; whether the candidate may be kept at all was decided before.
 */
export function judge(candidate: Candidate, known: Known, policy: MemoryKind['policy'] = 'aggregate'): Judgement {
  const told = readStatement(candidate.text);
  const pages = [...(known.place ? [known.place] : []), ...known.others].filter(isReadable);
  const lines = pages.flatMap((page) => seenLines(page, told));
  const compared = comparedWith(pages, lines);
  const decide = (
    action: Judgement['action'],
    code: JudgementCode,
    message: string,
    more: Partial<Judgement> = {},
  ): Judgement => ({
    action,
    reason: { code, message },
    page: known.place,
    strikes: [],
    compared,
    ...more,
  });

  if (candidate.retires) {
    const strikes = takenBack(candidate, lines);
    const count = strikes.reduce((sum, strike) => sum + strike.lines.length, 0);
    if (count > 0)
      return decide(
        'DELETE',
        'taken_back',
        `The user took back ${count === 1 ? 'what was known' : `${count} statements`}.`,
        { page: strikes[0]?.page, strikes },
      );
    if (candidate.signal === 'forget')
      return decide('NONE', 'nothing_to_take_back', 'Nothing is known that it could mean.', { page: undefined });
  }
  const dated = policy === 'append' && known.place ? datedLines(known.place, told) : [];
  const same = [...lines, ...dated].find((line) => isSame(candidate, told, line));
  if (same) return decide('NONE', 'known_already', 'It is known already.', { page: same.page });
  const strikes = strikesOf(
    lines.filter((line) => contradicts(candidate, line, line.page === known.place ? 'same_topic' : 'elsewhere')),
  );
  if (strikes.length > 0) {
    return decide(
      known.place ? 'UPDATE' : 'ADD',
      'contradicts',
      'It takes the place of what was known before, which is kept in the timeline with its date.',
      { strikes },
    );
  }
  return known.place
    ? decide('UPDATE', 'adds_to_topic', 'It adds to what is known of the topic.')
    : decide('ADD', 'new', 'Nothing is known of it yet.');
}

function isReadable({ status, problem }: MemoryPage): boolean {
  return status === 'active' && problem === undefined;
}

function seenLines(page: MemoryPage, told: StatementReading): SeenLine[] {
  return statementLines(page.truth).map((line) => {
    const reading = readStatement(line.text);
    return { ...line, page, reading, similarity: similarity(told.words, reading.words) };
  });
}

/** A page that only grows holds its entries to be true as well. */
function datedLines(page: MemoryPage, told: StatementReading): SeenLine[] {
  const entries = page.timeline.filter(({ text }) => !/^(?:Until now|Taken back): /.test(text));
  return entries.map(({ text }) => {
    const reading = readStatement(text);
    return { line: text, text, label: undefined, page, reading, similarity: similarity(told.words, reading.words) };
  });
}

function comparedWith(pages: readonly MemoryPage[], lines: readonly SeenLine[]): Judgement['compared'] {
  const best = new Map(pages.map((page) => [page.uri, 0]));
  for (const line of lines) best.set(line.page.uri, Math.max(best.get(line.page.uri) ?? 0, line.similarity));
  return [...best]
    .map(([uri, value]) => ({ uri, similarity: Math.round(value * 1_000) / 1_000 }))
    .sort((a, b) => b.similarity - a.similarity || (a.uri < b.uri ? -1 : 1))
    .slice(0, mostCompared);
}

/** Equal but for form; or all that it says stands in the line already. */
function isSame(candidate: Candidate, told: StatementReading, line: SeenLine): boolean {
  if (plain(candidate.text) === plain(line.text)) return true;
  if (told.isNegative !== line.reading.isNegative || told.words.size === 0) return false;
  if (!told.values.every((value) => line.reading.values.includes(value))) return false;
  if (told.values.length !== line.reading.values.length && line.similarity < 1) return false;
  const isLike =
    line.similarity >= nearDuplicate || (told.words.size >= 2 && containment(told.words, line.reading.words) === 1);
  // "Likes tea" does not say that tea is preferred to coffee, but whoever prefers it was said to.
  return isLike && sameAttitude(candidate.text, line.text);
}

const attitudes: readonly RegExp[] = [
  /\bfavou?rite\b|最喜欢/i,
  /\bno longer\b|不再/i,
  /\bdecided|agreed|decision|决定/i,
];

/** Words that change what is said, though they are about the same thing. */
function sameAttitude(one: string, other: string): boolean {
  return attitudes.every((attitude) => attitude.test(one) === attitude.test(other));
}

/** Lines that say what is taken back: all its content words, in a statement that is not one of denial itself. */
function takenBack(candidate: Candidate, lines: readonly SeenLine[]): Strike[] {
  const wanted = new Set([...candidate.denies.flatMap((phrase) => [...wordsOf(phrase)]), ...wordsOf(candidate.text)]);
  const isForget = candidate.signal === 'forget';
  const found = lines.filter((line) => (isForget || !line.reading.isNegative) && covers(wanted, line));
  return strikesOf(found);
}

function covers(wanted: ReadonlySet<string>, line: SeenLine): boolean {
  const words =
    line.label === undefined ? line.reading.words : new Set([...line.reading.words, ...wordsOf(line.label)]);
  return wanted.size > 0 && containment(wanted, words) === 1;
}

function strikesOf(lines: readonly SeenLine[]): Strike[] {
  const byPage = new Map<MemoryPage, string[]>();
  for (const { page, line } of lines) byPage.set(page, [...(byPage.get(page) ?? []), line]);
  return [...byPage].map(([page, struck]) => ({ page, lines: struck }));
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.。!！]+/gu, ' ')
    .trim();
}

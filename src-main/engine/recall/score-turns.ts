import { foldName } from '../memory/indexing/fold-name.ts';
import { calibrate } from './calibrate.ts';
import { countOf } from './count-of.ts';
import { nearnessAround } from './nearness-around.ts';
import type { Question } from './read-question.ts';
import type { RecallWeights } from './recall-weights.ts';
import { relatedShares } from './related-words.ts';
import type { RowWords } from './row-words.ts';
import type { FoundRow, Scored } from './scored-row.ts';
import type { QuestionWorth } from './term-worth.ts';
import { turnTraits, type TurnTraits } from './turn-traits.ts';
import { stemOf } from './word-forms.ts';

/** A sum of parts that stands for certainty: all words in one statement by the one who was named. */
const certain = 1.3;
/** How fast further mentions in a session count less. */
const sessionSaturation = 1.2;

interface TurnRow extends FoundRow {
  readonly traits: TurnTraits;
  readonly session: string;
}

/**
 * Turns by what they say, what is said around them, and what their session is about: a question and its answer share
 * words, and a session that is about the subject is more likely to hold what is asked for.
 */
export function scoreTurns(
  rows: readonly FoundRow[],
  question: Question,
  worth: QuestionWorth,
  using: { readonly weights: RecallWeights; readonly words: RowWords },
): Scored[] {
  const { weights, words: book } = using;
  const turns = inOrder(rows, book);
  const total = worth.total || 1;
  const average = turns.reduce((sum, { words }) => sum + words.stems.length, 0) / Math.max(1, turns.length) || 1;
  const norms = turns.map(
    ({ words }) => weights.saturation * (1 - weights.turnLength + (weights.turnLength * words.stems.length) / average),
  );
  const lexical = new Float64Array(turns.length);
  const around = new Float64Array(turns.length);
  const sessions = new Map<string, number>();
  const dates = datesOf(turns);
  for (const { stem, worth: value } of worth.stems) {
    const share = value / total;
    const id = book.idOf(stem);
    const own = turns.map(({ words }) => countOf(words.stems, id));
    const spread = spreadOf(own, turns, weights);
    const bySession = new Map<string, number>();
    turns.forEach(({ session: key }, index) => {
      const alone = saturated(own[index] ?? 0, norms[index] ?? 1, weights.saturation);
      const dated = dates[index]?.has(stem) === true ? weights.date : 0;
      const together = saturated(
        (own[index] ?? 0) + (spread[index] ?? 0) + dated,
        norms[index] ?? 1,
        weights.saturation,
      );
      lexical[index] = (lexical[index] ?? 0) + share * alone;
      around[index] = (around[index] ?? 0) + share * Math.max(0, together - alone);
      bySession.set(key, (bySession.get(key) ?? 0) + (own[index] ?? 0));
    });
    for (const [key, count] of bySession) {
      sessions.set(key, (sessions.get(key) ?? 0) + (share * count) / (count + sessionSaturation));
    }
  }
  const related = relatedShares(
    turns.map(({ words }) => words),
    worth,
    book,
  );
  const near = nearnessAround(
    turns,
    turns.map(({ session }) => session),
    weights,
  );
  const pairs = pairsIn(turns, worth, book);
  const named = namedSpeakers(turns, question);
  return turns.map((row, index) => {
    const base = {
      lexical: (1 - weights.session) * ((lexical[index] ?? 0) + weights.pair * ((pairs[index] ?? 0) / total)),
      neighbour: (1 - weights.session) * (around[index] ?? 0),
      parent: weights.session * (sessions.get(row.session) ?? 0),
      related: weights.related * (related[index] ?? 0),
      vector: near[index] ?? 0,
    };
    const { score, parts } = calibrate(
      { ...base, ...traitParts(row, question, weights, { base: sumOf(base), isNamed: named.has(row.hit.speaker) }) },
      certain,
    );
    return { hit: row.hit, text: row.text, words: row.words, vector: row.vector, score, parts };
  });
}

/** What the form of the turn adds to or takes from a base. */
function traitParts(
  row: TurnRow,
  question: Question,
  weights: RecallWeights,
  { base, isNamed }: { readonly base: number; readonly isNamed: boolean },
): Record<string, number> {
  const { traits } = row;
  let statement = -weights.question * traits.asks + (traits.firstPerson ? weights.firstPerson : 0);
  if (question.asksWhen) statement += weights.time * traits.times;
  if (question.asksHowMany && traits.hasNumber) statement += weights.number;
  const { span } = question;
  const inSpan = span !== undefined && row.hit.at >= span.from && row.hit.at < span.to;
  return {
    statement: base * statement,
    speaker: isNamed ? base * (1 + statement) * (weights.speaker - 1) : 0,
    time: inSpan ? weights.span * Math.min(1, base * 2) : 0,
  };
}

/** Those who spoke and whom the question names. */
function namedSpeakers(rows: readonly FoundRow[], question: Question): ReadonlySet<string | undefined> {
  const speakers = [...new Set(rows.map(({ hit }) => hit.speaker))];
  const own = question.words.filter(({ weight }) => weight === 1);
  return new Set(speakers.filter((speaker) => own.some(({ word }) => meansSpeaker(word, speaker))));
}

/** By the whole name, or the beginning of one as friends say it (`Mel`). */
function meansSpeaker(word: string, speaker: string | undefined): boolean {
  return foldName(speaker ?? '')
    .split(' ')
    .some((name) => name !== '' && (name === word || (word.length >= 3 && name.startsWith(word))));
}

/** Stems of a question that name one of those who spoke: they say who, not what about. */
export function speakerStems(
  rows: readonly { readonly hit: { readonly speaker: string | undefined } }[],
  question: Question,
): Set<string> {
  const speakers = [...new Set(rows.map(({ hit }) => hit.speaker))];
  const named = question.words.filter(({ word }) => speakers.some((speaker) => meansSpeaker(word, speaker)));
  return new Set(named.map(({ stem }) => stem));
}

function inOrder(rows: readonly FoundRow[], book: RowWords): TurnRow[] {
  return rows
    .map((row) => ({ ...row, traits: turnTraits(row.text, row.words, book), session: sessionKey(row.hit) }))
    .sort((one, other) => {
      if (one.session !== other.session) return one.session < other.session ? -1 : 1;
      return (one.hit.sequence ?? 0) - (other.hit.sequence ?? 0);
    });
}

function spreadOf(own: readonly number[], turns: readonly TurnRow[], weights: RecallWeights): number[] {
  const spread = turns.map(() => 0);
  own.forEach((count, from) => {
    if (count === 0) return;
    const source = turns[from];
    if (!source) return;
    for (const step of [-2, -1, 1, 2]) {
      const target = turns[from + step];
      if (!target || target.session !== source.session) continue;
      const distance = Math.abs((target.hit.sequence ?? 0) - (source.hit.sequence ?? 0));
      if (distance < 1 || distance > 2) continue;
      const share = (step > 0 ? weights.after : weights.before)[distance - 1] ?? 0;
      const asked = step > 0 && source.traits.asks > 0.3 ? weights.askedAfter : 1;
      spread[from + step] = (spread[from + step] ?? 0) + count * share * asked;
    }
  });
  return spread;
}

/** For each turn: neighbouring words of the question that stand near each other in it, in their order; worth their mean. */
function pairsIn(turns: readonly FoundRow[], worth: QuestionWorth, book: RowWords): Float64Array {
  const sums = new Float64Array(turns.length);
  for (let at = 0; at + 1 < worth.stems.length; at += 1) {
    const [first, second] = [worth.stems[at], worth.stems[at + 1]];
    if (!first || !second) continue;
    const [one, other] = [book.idOf(first.stem), book.idOf(second.stem)];
    turns.forEach(({ words }, index) => {
      const distance = nearest(words.stems, one, other);
      if (distance <= 3) sums[index] = (sums[index] ?? 0) + (first.worth + second.worth) / 2 / distance;
    });
  }
  return sums;
}

function nearest(words: Int32Array, first: number, second: number): number {
  let last = -Infinity;
  let best = Infinity;
  for (let index = 0; index < words.length; index += 1) {
    if (words[index] === second && index - last < best) best = index - last;
    if (words[index] === first) last = index;
  }
  return Math.max(1, best);
}

/** 1 for one mention in a row of average length. */
function saturated(frequency: number, norm: number, saturation: number): number {
  return frequency === 0 ? 0 : (frequency * (1 + saturation)) / (frequency + norm);
}

function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

function sessionKey({
  sessionUid = '',
  epoch = 0,
}: {
  readonly sessionUid: string | undefined;
  readonly epoch: number | undefined;
}): string {
  return `${sessionUid}\n${epoch}`;
}

const monthNames = 'january february march april may june july august september october november december'
  .split(' ')
  .map(stemOf);

/** Many turns are of one day. */
function datesOf(turns: readonly FoundRow[]): ReadonlySet<string>[] {
  const days = new Map<number, ReadonlySet<string>>();
  return turns.map(({ hit }) => {
    const day = Math.floor(hit.at / 86_400_000);
    const known = days.get(day) ?? dateStems(hit.at);
    days.set(day, known);
    return known;
  });
}

/** Month, day and year of a moment as words (UTC). */
function dateStems(at: number): ReadonlySet<string> {
  const date = new Date(at);
  return new Set([monthNames[date.getUTCMonth()] ?? '', String(date.getUTCDate()), String(date.getUTCFullYear())]);
}

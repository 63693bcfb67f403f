import type { Corpus, WordLists } from './word-lists.ts';
import type { RowMirror } from './row-mirror.ts';

/** Constants of BM25 as FTS5 has them (sqlite.org/fts5.html, "The bm25() function"). */
const k1 = 1.2;
const b = 0.75;
/** FTS5 gives words that are in more than half of the rows this weight, so that they do not count against a row. */
const leastIdf = 1e-6;

export interface ColumnWeights {
  readonly title: number;
  readonly aliases: number;
  readonly body: number;
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/**
 * How many entries of word lists one search reads with their places, so that a question in common words takes hardly longer
 * than one in rare ones; of commoner words it is only asked which of the rows found so far have them. Measured: an entry
 * costs 1 µs with its place, 0.3 µs without.
 */
export const mostPlaces = 4_000;
/** Rows that are asked for commoner words, over all of these. */
const mostChecks = 12_000;
/** Words that say less than this share of what the rarest one says are not asked for. */
const leastShare = 0.3;

interface Listed extends WeightedTerm {
  readonly stem: string;
  readonly count: number;
  readonly idf: number;
}

/**
 * Scores of the rows of one full-text table that match any of the terms, by BM25 with a weight for each term and each
 * column. Equal to FTS5's own function while the terms stay within the bounds; beyond them common words count as if they
 * stood once in a row of average length.
 * @param accepts which rows may be looked at
 */
export function scoreRows(
  parts: { readonly lists: WordLists; readonly mirror: RowMirror; readonly mostPlaces?: number },
  corpus: Corpus,
  terms: readonly WeightedTerm[],
  weights: ColumnWeights,
  accepts: (id: number) => boolean,
): Map<number, number> {
  const { lists, mirror } = parts;
  const scores = new Map<number, number>();
  const totals = mirror.totals(corpus);
  const average = totals.words / Math.max(1, totals.rows);
  const listed = listTerms(lists, corpus, terms, totals.rows);
  const read: Listed[] = [];
  let places = parts.mostPlaces ?? mostPlaces;
  let [checks, found] = [mostChecks, 0];
  const leastWorth = (listed[0]?.idf ?? 0) * leastShare;
  for (const term of listed) {
    if (term.count <= places) {
      places -= term.count;
      found += term.count;
      const columnWeights = corpus === 'page' ? [weights.title, weights.aliases, weights.body] : [0, 0, weights.body];
      addPlaces(scores, { lists, mirror, corpus, term, columnWeights, average, accepts });
      read.push(term);
    } else if (read.length === 0) {
      // Nothing rarer to go by: its rows are all there is.
      found += term.count;
      addRows(scores, lists.rows(corpus, term.term), term, { weights, mirror, average, accepts });
      read.push(term);
    } else if (term.idf >= leastWorth && found <= checks) {
      checks -= found;
      raiseRows(
        scores,
        lists.rowsAmong(
          corpus,
          term.term,
          read.map((other) => other.term),
        ),
        term,
        weights,
      );
    }
  }
  return scores;
}

/** Rarest first; words that the table does not have are left out, and different words of one stem count once. */
function listTerms(lists: WordLists, corpus: Corpus, terms: readonly WeightedTerm[], total: number): Listed[] {
  const byStem = new Map<string, Listed>();
  for (const { term, weight } of terms) {
    const stem = lists.stemOf(term);
    if (stem === undefined || weight <= 0) continue;
    const known = byStem.get(stem);
    if (known) {
      if (weight > known.weight) byStem.set(stem, { ...known, weight });
      continue;
    }
    const count = lists.count(corpus, stem);
    if (count === 0) continue;
    const idf = Math.max(leastIdf, Math.log((total - count + 0.5) / (count + 0.5)));
    byStem.set(stem, { term, weight, stem, count, idf });
  }
  return [...byStem.values()].sort((one, other) => one.count - other.count || (one.stem < other.stem ? -1 : 1));
}

function addPlaces(
  scores: Map<number, number>,
  of: {
    readonly lists: WordLists;
    readonly mirror: RowMirror;
    readonly corpus: Corpus;
    readonly term: Listed;
    readonly columnWeights: readonly number[];
    readonly average: number;
    readonly accepts: (id: number) => boolean;
  },
): void {
  const { mirror, term, average } = of;
  let row = 0;
  let frequency = 0;
  const finish = (): void => {
    if (frequency > 0) add(scores, row, term.weight * term.idf * saturated(frequency, mirror.lengthOf(row), average));
  };
  let isWanted = false;
  for (const { id, column } of of.lists.places(of.corpus, term.stem)) {
    if (id !== row) {
      finish();
      row = id;
      frequency = 0;
      isWanted = of.accepts(id);
    }
    if (isWanted) frequency += of.columnWeights[column] ?? 0;
  }
  finish();
}

function addRows(
  scores: Map<number, number>,
  ids: readonly number[],
  term: Listed,
  of: {
    readonly weights: ColumnWeights;
    readonly mirror: RowMirror;
    readonly average: number;
    readonly accepts: (id: number) => boolean;
  },
): void {
  for (const id of ids) {
    if (!of.accepts(id)) continue;
    add(scores, id, term.weight * term.idf * saturated(of.weights.body, of.mirror.lengthOf(id), of.average));
  }
}

function raiseRows(scores: Map<number, number>, ids: readonly number[], term: Listed, weights: ColumnWeights): void {
  const worth = term.weight * term.idf * saturated(weights.body, 1, 1);
  for (const id of ids) {
    const score = scores.get(id);
    if (score !== undefined) scores.set(id, score + worth);
  }
}

function saturated(frequency: number, length: number, average: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / Math.max(1, average)));
}

function add(scores: Map<number, number>, id: number, worth: number): void {
  scores.set(id, (scores.get(id) ?? 0) + worth);
}

import { b, idfOf, k1 } from './postings.ts';
import type { ColumnCounts } from './row-word-counts.ts';
import type { RowMirror } from './row-mirror.ts';
import type { Corpus, WordLists } from './word-lists.ts';

/**
 * Scores of all rows that match, read from the full-text table: as `Postings.best` has them from memory, some hundred times
 * slower. FTS5's own `bm25()` cannot weigh words.
 * @param stems with their weights
 */
export function scoreRows(
  { lists, mirror }: { readonly lists: WordLists; readonly mirror: RowMirror },
  corpus: Corpus,
  stems: ReadonlyMap<string, number>,
  weights: ColumnCounts,
  isWanted: Uint8Array,
): Map<number, number> {
  const scores = new Map<number, number>();
  const { rows, words } = mirror.totals(corpus);
  const average = words / Math.max(1, rows) || 1;
  const columns = [weights.title, weights.aliases, weights.body];
  for (const [stem, weight] of stems) {
    const frequencies = new Map<number, number>();
    for (const { id, column } of lists.places(corpus, stem)) {
      if (isWanted[id] === 1) frequencies.set(id, (frequencies.get(id) ?? 0) + (columns[column] ?? 0));
    }
    const factor = weight * idfOf(lists.count(corpus, stem), rows) * (k1 + 1);
    for (const [id, frequency] of frequencies) {
      const norm = k1 * (1 - b + (b * mirror.lengthOf(id)) / average);
      scores.set(id, (scores.get(id) ?? 0) + (factor * frequency) / (frequency + norm));
    }
  }
  return scores;
}

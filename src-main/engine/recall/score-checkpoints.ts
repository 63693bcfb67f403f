import { calibrate } from './calibrate.ts';
import type { RecallWeights } from './recall-weights.ts';
import type { RowWords } from './row-words.ts';
import type { FoundRow, Scored } from './scored-row.ts';
import { shareOf } from './score-pages.ts';
import type { QuestionWorth } from './term-worth.ts';

/** A summary repeats what its turns say; where both match, the turn has the words themselves. */
const certain = 1.2;

/** Summaries of older turns, by the level that matches best. */
export function scoreCheckpoints(
  rows: readonly FoundRow[],
  worth: QuestionWorth,
  using: { readonly weights: RecallWeights; readonly words: RowWords },
): Scored[] {
  const { weights } = using;
  const average = rows.reduce((sum, { words }) => sum + words.stems.length, 0) / Math.max(1, rows.length) || 1;
  return [...Map.groupBy(rows, ({ hit }) => hit.uri).values()].flatMap((levels) => {
    const [best] = levels
      .map((row) => ({ row, share: shareOf(row.words, worth, average, using) }))
      .sort((one, other) => other.share - one.share || one.row.hit.level - other.row.hit.level);
    if (!best) return [];
    const { hit, text, words, nearness, vector } = best.row;
    return [
      {
        hit,
        text,
        words,
        vector,
        ...calibrate({ lexical: best.share, vector: weights.vectorPage * nearness }, certain),
      },
    ];
  });
}

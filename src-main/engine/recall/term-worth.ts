import type { MemoryIndex } from '../ports/memory-index.ts';
import type { Question } from './read-question.ts';

/** A word of the question with what it is worth. */
export interface WeightedStem {
  readonly stem: string;
  /** Weight of the word times its inverse document frequency. */
  readonly worth: number;
}

/** What the words of a question are worth together and each; a word that nothing has counts too, so that a question about
 * something unknown scores low whatever else matches. */
export interface QuestionWorth {
  readonly stems: readonly WeightedStem[];
  readonly total: number;
}

type Frequencies = Awaited<ReturnType<MemoryIndex['frequencies']>>;

/**
 * Inverse document frequency as in BM25: ln(1 + (N - n + 0.5) / (n + 0.5)) (Robertson & Zaragoza 2009, with Lucene's 1 +).
 * @param without stems that are names of speakers: they say who spoke, not what about
 */
export function questionWorth(
  question: Question,
  frequencies: Frequencies | undefined,
  without: ReadonlySet<string>,
): QuestionWorth {
  const total = Math.max(frequencies?.total ?? 0, leastRows);
  const kept = question.words.filter(({ stem }) => !without.has(stem));
  const stems = (kept.length === 0 ? question.words : kept).map(({ word, stem, weight }) => {
    const count = Math.min(frequencies?.byTerm.get(word) ?? 1, total);
    return { stem, worth: weight * Math.log(1 + (total - count + 0.5) / (count + 0.5)) };
  });
  return { stems, total: stems.reduce((sum, { worth }) => sum + worth, 0) };
}

/** In a memory of a few rows nothing is rare. */
const leastRows = 50;

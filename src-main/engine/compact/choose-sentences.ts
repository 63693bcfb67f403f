import type { SentenceSection } from './classify-sentence.ts';
import type { ScoredSentence } from './score-sentences.ts';

/** Share of the overview's tokens that a section may take before others had their turn. */
const shares: Readonly<Record<SentenceSection, number>> = {
  decisions: 0.25,
  tasks: 0.15,
  rules: 0.2,
  requests: 0.2,
  facts: 0.2,
};

const sections: readonly SentenceSection[] = ['decisions', 'tasks', 'rules', 'requests', 'facts'];

/** Share of a sentence's words beyond which it says what a chosen one says already. */
const repeated = 0.75;

/**
 * First each section its share, best sentences first; then what is left of the budget to the best of all; and last, if
 * there is still room, to those that say something again. In order of the conversation.
 */
export function chooseSentences(
  scored: readonly ScoredSentence[],
  costs: readonly number[],
  budget: number,
): readonly ScoredSentence[] {
  const chosen = new Set<ScoredSentence>();
  const known = new Set<string>();
  let left = budget;
  const takeBest = (limit: number, may: (sentence: ScoredSentence) => boolean): void => {
    let share = limit;
    scored.forEach((sentence, index) => {
      const cost = costs[index] ?? Infinity;
      if (cost > share || cost > left || chosen.has(sentence) || !may(sentence)) return;
      chosen.add(sentence);
      for (const word of sentence.words) known.add(word);
      share -= cost;
      left -= cost;
    });
  };
  const isNew = ({ words }: ScoredSentence): boolean =>
    words.filter((word) => known.has(word)).length <= repeated * words.length;
  for (const section of sections) {
    takeBest(budget * shares[section], (sentence) => sentence.section === section && isNew(sentence));
  }
  takeBest(budget, isNew);
  takeBest(budget, () => true);
  return [...chosen].sort((a, b) => a.sequence - b.sequence || a.position - b.position);
}

import { classifySentence, type SummarySection } from './classify-sentence.ts';
import { findIdentifiers } from './find-identifiers.ts';
import { splitSentences } from './split-sentences.ts';
import type { SourceTurn } from './summariser.ts';

export interface ScoredSentence {
  readonly text: string;
  readonly turn: SourceTurn;
  /** Position within its turn. */
  readonly position: number;
  readonly score: number;
}

const sectionWeight: Readonly<Record<SummarySection, number>> = {
  decisions: 3,
  rules: 2.6,
  tasks: 2.2,
  requests: 1.6,
  facts: 1,
};
const roleWeight = { user: 1.3, assistant: 1, system: 0.8, tool: 0.35 } as const;

/** A sentence longer than this is quoted in part: it is a paste rather than something said (characters). */
const longest = 320;

/**
 * All sentences of the turns, best first. The score is the mean of how often the sentence's words occur in the range
 * (SumBasic), times what kind of sentence it is, who said it, whether it names something exact, and a mild preference
 * for the newer. Repeated sentences count once. Equal scores keep the order of the conversation.
 */
export function scoreSentences(turns: readonly SourceTurn[], focus: string): ScoredSentence[] {
  const sentences = uniqueSentences(turns);
  const frequency = wordFrequency(sentences.map((sentence) => sentence.text));
  const focusWords = new Set(wordsOf(focus));
  const first = turns[0]?.sequence ?? 0;
  const span = Math.max(1, (turns.at(-1)?.sequence ?? 0) - first);
  return sentences
    .map((sentence): ScoredSentence => {
      const words = wordsOf(sentence.text);
      const salience = words.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0) / Math.max(4, words.length);
      const exact = Math.min(3, findIdentifiers(sentence.text, 'strict').length);
      const focused = words.some((word) => focusWords.has(word)) ? 1.5 : 1;
      const recency = 0.8 + 0.4 * ((sentence.turn.sequence - first) / span);
      const kind = sectionWeight[classifySentence(sentence.text, sentence.turn.role)];
      return {
        ...sentence,
        score: (0.2 + salience) * kind * roleWeight[sentence.turn.role] * (1 + 0.25 * exact) * focused * recency,
      };
    })
    .sort((a, b) => b.score - a.score || a.turn.sequence - b.turn.sequence || a.position - b.position);
}

function uniqueSentences(turns: readonly SourceTurn[]): Omit<ScoredSentence, 'score'>[] {
  const seen = new Set<string>();
  return turns.flatMap((turn) =>
    splitSentences(turn.text).flatMap((text, position) => {
      const key = text.toLowerCase();
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ text: shorten(text), turn, position }];
    }),
  );
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** Share of sentences in which a word occurs, as a square root so that a refrain does not drown the rest. */
function wordFrequency(sentences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    for (const word of new Set(wordsOf(sentence))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.sqrt(count / Math.max(1, sentences.length))]));
}

/** Words of four letters and more (shorter ones carry little), and single Chinese, Japanese or Korean characters. */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]{4,}/gu) ?? []
  );
}

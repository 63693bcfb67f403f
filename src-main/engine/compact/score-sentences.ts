import { classifySentence, type SummarySection } from './classify-sentence.ts';
import { findIdentifiers } from './find-identifiers.ts';
import { Pacer } from './pacer.ts';
import type { Focus } from './read-focus.ts';
import { splitSentences } from './split-sentences.ts';
import type { SourceTurn } from './summariser.ts';

export interface ScoredSentence {
  readonly text: string;
  readonly turn: SourceTurn;
  /** Position within its turn. */
  readonly position: number;
  readonly score: number;
  /** What it is about; sentences of the same words say the same. */
  readonly words: readonly string[];
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
export async function scoreSentences(turns: readonly SourceTurn[], focus: Focus): Promise<readonly ScoredSentence[]> {
  const pacer = new Pacer();
  const sentences = await uniqueSentences(turns, pacer);
  const frequency = await wordFrequency(sentences, pacer);
  const first = turns[0]?.sequence ?? 0;
  const span = Math.max(1, (turns.at(-1)?.sequence ?? 0) - first);
  const scored: ScoredSentence[] = [];
  for (const { text, turn, position, words } of sentences) {
    const salience = words.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0) / Math.max(4, words.length);
    const exact = Math.min(3, findIdentifiers(text, 'strict').length);
    const recency = 0.8 + 0.4 * ((turn.sequence - first) / span);
    const kind = sectionWeight[classifySentence(text, turn.role)] * roleWeight[turn.role];
    const score = (0.2 + salience) * kind * (1 + 0.25 * exact) * focusWeight(text, focus) * recency;
    scored.push({ text, turn, position, score, words });
    if (pacer.isDue()) await pacer.pause();
  }
  return scored.sort((a, b) => b.score - a.score || a.turn.sequence - b.turn.sequence || a.position - b.position);
}

/** What the user asked for comes before everything that is merely frequent. */
function focusWeight(text: string, { words, kinds }: Focus): number {
  if (words.length === 0 && kinds.size === 0) return 1;
  const lower = text.toLowerCase();
  const named = words.filter((word) => lower.includes(word)).length;
  const exact = kinds.size > 0 && findIdentifiers(text, 'strict').some(({ kind }) => kinds.has(kind));
  return (named === 0 ? 1 : 2 + named) * (exact ? 2 : 1);
}

type Sentence = Omit<ScoredSentence, 'score'>;

async function uniqueSentences(turns: readonly SourceTurn[], pacer: Pacer): Promise<readonly Sentence[]> {
  const seen = new Set<string>();
  const sentences: Sentence[] = [];
  for (const turn of turns) {
    splitSentences(turn.text).forEach((whole, position) => {
      const text = shorten(whole);
      const key = text.toLowerCase();
      if (seen.has(key)) return;
      seen.add(key);
      sentences.push({ text, turn, position, words: wordsOf(text) });
    });
    if (pacer.isDue()) await pacer.pause();
  }
  return sentences;
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** Share of sentences in which a word occurs, as a square root so that a refrain does not drown the rest. */
async function wordFrequency(sentences: readonly Sentence[], pacer: Pacer): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { words } of sentences) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    if (pacer.isDue()) await pacer.pause();
  }
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

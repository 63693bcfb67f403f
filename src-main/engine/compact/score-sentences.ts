import type { SentenceSection } from './classify-sentence.ts';
import { findIdentifiers } from './find-identifiers.ts';
import { Pacer } from './pacer.ts';
import type { Focus } from './read-focus.ts';
import type { SourceSentence } from './source-sentences.ts';

export interface ScoredSentence extends SourceSentence {
  readonly score: number;
}

const sectionWeight: Readonly<Record<SentenceSection, number>> = {
  decisions: 3,
  rules: 2.6,
  tasks: 2.2,
  requests: 2.2,
  facts: 1,
};
const settledWeight = 1.6;
const roleWeight = { user: 1.3, assistant: 1, system: 0.8, tool: 0.35 } as const;

/**
 * The sentences, best first. The score is the mean of how often the sentence's words occur in the range (SumBasic),
 * times what kind of sentence it is, who said it, whether it names something exact, and a mild preference for the newer.
 * Equal scores keep the order of the conversation.
 */
export async function scoreSentences(
  sentences: readonly SourceSentence[],
  focus: Focus,
): Promise<readonly ScoredSentence[]> {
  const pacer = new Pacer();
  const frequency = await wordFrequency(sentences, pacer);
  const first = sentences[0]?.sequence ?? 0;
  const span = Math.max(1, (sentences.at(-1)?.sequence ?? 0) - first);
  const scored: ScoredSentence[] = [];
  for (const sentence of sentences) {
    const { text, sequence, section, isSettled, role, words } = sentence;
    const salience = words.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0) / Math.max(4, words.length);
    const exact = exactWords(text);
    const recency = 0.8 + 0.4 * ((sequence - first) / span);
    const kind = (isSettled ? settledWeight : sectionWeight[section]) * roleWeight[role];
    const isWanted =
      focus.kinds.size > 0 && findIdentifiers(text, 'strict').some((identifier) => focus.kinds.has(identifier.kind));
    const score = (0.2 + salience) * kind * (1 + 0.25 * exact) * focusWeight(text, isWanted, focus) * recency;
    scored.push({ ...sentence, score });
    if (pacer.isDue()) await pacer.pause();
  }
  return scored.sort((a, b) => b.score - a.score || a.sequence - b.sequence || a.position - b.position);
}

/** Words that look like something exact: with figures, slashes, underscores or capitals inside; three at most. */
export function exactWords(text: string): number {
  let count = 0;
  for (const [word] of text.matchAll(/[\w./\\:()-]+/g)) {
    if (looksExact.test(word)) count += 1;
    if (count === 3) break;
  }
  return count;
}

const looksExact = /[\d_/\\][\w.:-]|[a-z][A-Z]|\w\(\)/;

/** What the user asked for comes before everything that is merely frequent. */
function focusWeight(text: string, isWanted: boolean, { words }: Focus): number {
  const lower = text.toLowerCase();
  const named = words.filter((word) => lower.includes(word)).length;
  return (named === 0 ? 1 : 2 + named) * (isWanted ? 2 : 1);
}

/** Share of sentences in which a word occurs, as a square root so that a refrain does not drown the rest. */
async function wordFrequency(sentences: readonly SourceSentence[], pacer: Pacer): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { words } of sentences) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    if (pacer.isDue()) await pacer.pause();
  }
  return new Map([...counts].map(([word, count]) => [word, Math.sqrt(count / Math.max(1, sentences.length))]));
}

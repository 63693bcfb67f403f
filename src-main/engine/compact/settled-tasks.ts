import { contentWords, isSimilar } from './content-words.ts';
import { saysDone } from './find-requests.ts';
import type { ScoredSentence } from './score-sentences.ts';
import type { SourceSentence } from './source-sentences.ts';

/** Latest statements that something is done which are compared with the tasks. */
const compared = 500;

/** Of the chosen open tasks those that a later sentence of the assistant calls done, in about the same words. */
export function settledTasks(
  chosen: readonly ScoredSentence[],
  sentences: readonly SourceSentence[],
): ReadonlySet<ScoredSentence> {
  const tasks = chosen.filter(({ section }) => section === 'tasks');
  if (tasks.length === 0) return new Set();
  const statements = sentences
    .filter(({ role, text }) => role === 'assistant' && saysDone(text))
    .slice(-compared)
    .map(({ sequence, text }) => ({ sequence, words: contentWords(text) }));
  return new Set(
    tasks.filter((task) => {
      const words = contentWords(task.text);
      return statements.some((one) => one.sequence > task.sequence && isSimilar(one.words, words));
    }),
  );
}

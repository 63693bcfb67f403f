import { isSimilar, subjectWords } from './content-words.ts';
import { saysDone } from './find-requests.ts';
import type { ScoredSentence } from './score-sentences.ts';
import type { SourceSentence } from './source-sentences.ts';

/** Latest statements that something is done which are compared with the tasks. */
const compared = 500;

const nobody = { role: 'system', text: '', sequence: 0 } as const;

/** Of the chosen open tasks those that a later sentence of the assistant calls done, in about the same words. */
export function settledTasks(
  chosen: readonly ScoredSentence[],
  sentences: readonly SourceSentence[],
): ReadonlySet<ScoredSentence> {
  const tasks = chosen.filter(({ section }) => section === 'tasks');
  if (tasks.length === 0) return new Set();
  const statements: { readonly sequence: number; readonly words: ReadonlySet<string> }[] = [];
  for (let index = sentences.length - 1; index >= 0 && statements.length < compared; index -= 1) {
    const { role, text, sequence } = sentences[index] ?? nobody;
    if (role === 'assistant' && saysDone(text)) statements.push({ sequence, words: subjectWords(text) });
  }
  return new Set(
    tasks.filter((task) => {
      const words = subjectWords(task.text);
      return statements.some((one) => one.sequence > task.sequence && isSimilar(one.words, words));
    }),
  );
}

import { classifySentence, type SentenceSection } from './classify-sentence.ts';
import { findRequests, type RequestState } from './find-requests.ts';
import { Pacer } from './pacer.ts';
import { shortenLine } from './pending-requests.ts';
import { readSummary } from './read-summary.ts';
import { splitSentences } from './split-sentences.ts';
import { isFolding } from './summary-source.ts';
import type { SourceTurn, SummaryRequest } from './summariser.ts';
import { throwIfAborted } from './throw-if-aborted.ts';
import { wordsOf } from './words-of.ts';

/** Something that was said in the range, or that a folded summary tells. */
export interface SourceSentence {
  /** As a line of a summary: shortened, and marked where it is a request that is no longer open. */
  readonly text: string;
  readonly section: SentenceSection;
  /** A request that is no longer open: told under what happened, and worth more than most of that. */
  readonly isSettled: boolean;
  readonly role: SourceTurn['role'];
  readonly sequence: number;
  /** Position within its turn. */
  readonly position: number;
  /** What it is about; sentences of the same words say the same. */
  readonly words: readonly string[];
}

const marks: Readonly<Record<RequestState, string>> = {
  pending: '',
  finished: '[done] ',
  withdrawn: '[withdrawn] ',
  passed: '[asked] ',
};

/** All sentences of what is summarised in order, each once. */
export async function sourceSentences(request: SummaryRequest): Promise<readonly SourceSentence[]> {
  const pacer = new Pacer();
  const seen = new Set<string>();
  const sentences = isFolding(request) ? linesOfSummaries(request) : [];
  for (const { text } of sentences) seen.add(text.toLowerCase());
  const states = new Map(
    (await findRequests(request.turns)).map(({ sequence, text, state }) => [`${sequence} ${text}`, state] as const),
  );
  for (const turn of request.turns) {
    for (const [position, whole] of splitSentences(turn.text).entries()) {
      if (pacer.isDue()) await pacer.pause();
      const said = classifySentence(whole, turn.role);
      const state = said === 'requests' ? (states.get(`${turn.sequence} ${whole}`) ?? 'passed') : undefined;
      const text = `${state === undefined ? '' : marks[state]}${shortenLine(whole)}`;
      const key = text.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      const { role, sequence } = turn;
      const isSettled = state !== undefined && state !== 'pending';
      const section = isSettled ? 'facts' : said;
      sentences.push({ text, section, isSettled, role, sequence, position, words: wordsOf(text) });
    }
    if (pacer.isDue()) await pacer.pause();
    throwIfAborted(request.signal);
  }
  return sentences;
}

/** Lines of folded summaries. Their pending requests are read elsewhere, since later ones may have settled them. */
function linesOfSummaries({ previous = [] }: SummaryRequest): SourceSentence[] {
  const seen = new Set<string>();
  return previous.flatMap(({ overview }, index) => {
    const { lines } = readSummary(overview);
    const sections = ['decisions', 'tasks', 'rules', 'facts'] as const;
    return sections.flatMap((section) =>
      lines[section].flatMap((text, position): SourceSentence[] => {
        if (seen.has(text.toLowerCase())) return [];
        seen.add(text.toLowerCase());
        const sequence = index - previous.length;
        const isSettled = /^\[(?:done|withdrawn)\]/.test(text);
        return [{ text, section, isSettled, role: 'assistant', sequence, position, words: wordsOf(text) }];
      }),
    );
  });
}

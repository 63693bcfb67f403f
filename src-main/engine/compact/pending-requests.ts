import { isSimilar, subjectWords } from './content-words.ts';
import { findRequests, type RequestState } from './find-requests.ts';
import { readSummary } from './read-summary.ts';
import { isFolding } from './summary-source.ts';
import type { SummaryRequest } from './summariser.ts';

export interface KnownRequest {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly state: RequestState;
}

/**
 * What the user asked for within what a summary stands for, newest first. Of summaries that are folded it is what they
 * call pending, unless a later one calls it finished or withdrawn.
 */
export async function knownRequests(request: SummaryRequest): Promise<readonly KnownRequest[]> {
  const newestFirst = (await findRequests(request.turns))
    .map(({ text, state }): KnownRequest => ({ text, words: subjectWords(text), state }))
    .reverse();
  return isFolding(request) ? [...newestFirst, ...requestsOfSummaries(request)] : newestFirst;
}

const marked = /^\[(done|withdrawn)\]\s*/;

function requestsOfSummaries({ previous = [] }: SummaryRequest): readonly KnownRequest[] {
  const settled: KnownRequest[] = [];
  const known: KnownRequest[] = [];
  for (const { overview } of [...previous].reverse()) {
    const { lines } = readSummary(overview);
    for (const line of lines.facts) {
      const mark = marked.exec(line)?.[1];
      if (mark === undefined) continue;
      const text = line.replace(marked, '');
      settled.push({ text, words: subjectWords(text), state: mark === 'done' ? 'finished' : 'withdrawn' });
    }
    for (const text of lines.requests) {
      const words = subjectWords(text);
      const state = settled.find((one) => one.text === text || isSimilar(one.words, words))?.state ?? 'pending';
      if (!known.some((one) => one.text === text)) known.push({ text, words, state });
    }
  }
  return [...known, ...settled];
}

/**
 * The lines of a summary's pending requests put right: the newest unresolved request is there and comes first, what is
 * finished or withdrawn is told as such under what happened instead.
 */
export function repairRequests(
  lines: readonly string[],
  known: readonly KnownRequest[],
): { readonly pending: readonly string[]; readonly settled: readonly string[] } {
  const settled: string[] = [];
  const kept: { readonly line: string; readonly rank: number }[] = [];
  for (const line of lines) {
    const words = subjectWords(line);
    const same = (one: KnownRequest): boolean => line.includes(one.text) || isSimilar(one.words, words);
    // Newest first: what was asked again after it was done is open.
    const rank = known.findIndex(same);
    const state = known[rank]?.state;
    if (state === 'finished') settled.push(`[done] ${line}`);
    else if (state === 'withdrawn') settled.push(`[withdrawn] ${line}`);
    else kept.push({ line, rank: rank === -1 ? known.length : rank });
  }
  kept.sort((a, b) => a.rank - b.rank);
  const newest = known.findIndex(({ state }) => state === 'pending');
  const missing = known[newest];
  const isThere = missing === undefined || kept.some(({ rank }) => rank === newest);
  const pending = kept.map(({ line }) => line);
  return { pending: isThere ? pending : [shortenLine(missing.text), ...pending], settled };
}

/** A sentence longer than this is quoted in part: it is a paste rather than something said (characters). */
const longestLine = 320;

export function shortenLine(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine - 1).toWellFormed()}…`;
}

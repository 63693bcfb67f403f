import { stopWords } from '../memory/indexing/stop-words.ts';

/** Names are rarely longer (words). */
const mostWords = 5;
/** Of a pasted text only the beginning is looked through (words). */
const mostRead = 160;
const mostNames = 400;

/** A run of words in a query that could be a name. */
export interface NameCandidate {
  readonly text: string;
  /** Positions of its words in the query. */
  readonly from: number;
  readonly to: number;
}

/**
 * Every run of up to five words of a query, longest first, without runs of stop words only. Marks that belong to names
 * (`Fly.io`, `try-catch`, `C++`, `@scope/name`) stay inside; a run is also given without them.
 */
export function nameCandidates(query: string): NameCandidate[] {
  const words = wordsOf(query);
  const candidates: NameCandidate[] = [];
  for (let length = Math.min(mostWords, words.length); length >= 1; length -= 1) {
    for (let from = 0; from + length <= words.length && candidates.length < mostNames; from += 1) {
      const run = words.slice(from, from + length);
      if (run.every((word) => stopWords.has(word.toLowerCase()))) continue;
      candidates.push({ text: run.join(' '), from, to: from + length - 1 });
    }
  }
  return candidates;
}

/** Runs of Chinese are cut where names may begin and end: at every character, up to eight of them. */
function wordsOf(query: string): string[] {
  const words: string[] = [];
  for (const [piece] of query.slice(0, 4_000).matchAll(/[^\s,;:!?"()[\]{}<>“”‘，。！？；：、（）《》「」—]{1,200}/gu)) {
    const word = piece.replace(/^['`*_#.]+|['`*_.]+$/gu, '').replace(/['’]s$/u, '');
    if (word !== '') words.push(word);
    if (words.length >= mostRead) break;
  }
  return words;
}

const longestHan = 8;

/** Runs of Han characters inside a query that could be names: 2 to 8 of them. */
export function hanCandidates(query: string): string[] {
  const found = new Set<string>();
  for (const [run] of query.slice(0, 1_000).matchAll(/\p{Script=Han}{2,60}/gu)) {
    const characters = [...run];
    for (let length = Math.min(longestHan, characters.length); length >= 2; length -= 1) {
      for (let from = 0; from + length <= characters.length && found.size < mostNames; from += 1) {
        found.add(characters.slice(from, from + length).join(''));
      }
    }
  }
  return [...found];
}

import type { RowWords, TextWords } from './row-words.ts';
import { namesNumber, namesSelf, namesTime } from './stem-traits.ts';

/** What a turn looks like, whatever it says. Shares are 0 to 1. */
export interface TurnTraits {
  /** Share of the text in sentences that ask. */
  readonly asks: number;
  readonly firstPerson: boolean;
  readonly hasNumber: boolean;
  /** Times that are named; two or more count as 1. */
  readonly times: number;
}

/** @param words of the text, as `book` has them */
export function turnTraits(text: string, words: TextWords, book: RowWords): TurnTraits {
  let times = 0;
  let all = 0;
  for (const stem of words.stems) {
    const traits = book.traitsOf(stem);
    times += traits & namesTime;
    all |= traits;
  }
  const hasNumber = (all & namesNumber) !== 0;
  const firstPerson = (all & namesSelf) !== 0;
  return { asks: shareAsked(text.slice(0, mostRead)), firstPerson, hasNumber, times: Math.min(1, times / 2) };
}

/** A turn says what it is early (UTF-16 units). */
const mostRead = 4_000;

/** Share of the text in sentences that end with a question mark. */
function shareAsked(text: string): number {
  if (!/[?？]/.test(text)) return 0;
  let asked = 0;
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/[.!?。！？\n]/gu)) {
    if (end === '?' || end === '？') asked += index + 1 - start;
    start = index + 1;
  }
  return asked / text.length;
}

import type { RowWords, TextWords } from './row-words.ts';
import { stemOf } from './word-forms.ts';

/** What a turn looks like, whatever it says. Shares are 0 to 1. */
export interface TurnTraits {
  /** Share of the text in sentences that ask. */
  readonly asks: number;
  readonly firstPerson: boolean;
  readonly hasNumber: boolean;
  /** Times that are named; two or more count as 1. */
  readonly times: number;
}

const timeWords = stemsOf(
  `yesterday today tomorrow tonight ago last next week month year weekend recently monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december morning evening night day since summer winter
spring fall 昨天 今天 明天 前天 上周 下周 去年 今年 星期`,
);
const numberWords = stemsOf(
  'one two three four five six seven eight nine ten couple several both twice once 一个 两个 三个',
);
const selfWords = stemsOf('i my we our me 我');

const denials = stemsOf(
  'not no never none nobody nothing without neither nor don didn doesn isn wasn won can cannot t 不 没 没有',
);

/** What a stem says of a text that has it: one bit each. */
const namesTime = 1;
const namesNumber = 2;
const namesSelf = 4;
/** By such a word two texts that are alike otherwise say different things: a time, a number, a denial. */
export const isTelling = 8;

/** A sum of the bits above. */
export function stemTraits(stem: string): number {
  const isTime = timeWords.has(stem);
  const isNumber = numberWords.has(stem);
  return (
    (isTime || /^(?:19|20)\d\d$/.test(stem) ? namesTime : 0) |
    (isNumber || /^\d/.test(stem) ? namesNumber : 0) |
    (selfWords.has(stem) ? namesSelf : 0) |
    (isTime || isNumber || denials.has(stem) || /\d/.test(stem) ? isTelling : 0)
  );
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

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(stemOf));
}

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

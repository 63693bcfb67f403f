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

/** A word by which two texts that are alike otherwise say different things: a time, a number, a denial. */
export function isTelling(stem: string): boolean {
  return timeWords.has(stem) || numberWords.has(stem) || denials.has(stem) || /\d/.test(stem);
}

/** @param words stems of the text */
export function turnTraits(text: string, words: readonly string[]): TurnTraits {
  let times = 0;
  let hasNumber = false;
  let firstPerson = false;
  for (const word of words) {
    if (timeWords.has(word) || /^(?:19|20)\d\d$/.test(word)) times += 1;
    hasNumber ||= numberWords.has(word) || /^\d/.test(word);
    firstPerson ||= selfWords.has(word);
  }
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

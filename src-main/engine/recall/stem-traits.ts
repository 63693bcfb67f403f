import { stemOf } from './word-forms.ts';

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
export const namesTime = 1;
export const namesNumber = 2;
export const namesSelf = 4;
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

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(stemOf));
}

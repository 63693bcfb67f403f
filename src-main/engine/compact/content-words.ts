/** Words of four letters and more, words with figures, and pairs of characters where a script has no spaces. */
export function contentWords(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  // Looking for letters by their script takes several times as long; most texts have only plain ones.
  if (plain.test(lower)) return new Set(lower.match(plainWords));
  const words = new Set<string>(lower.match(anyWords));
  for (const run of lower.match(runs) ?? []) {
    for (let index = 0; index + 1 < run.length; index += 1) words.add(run.slice(index, index + 2));
  }
  return words;
}

const plain = /^[\x00-\x7f]*$/;
const plainWords = /[a-z0-9_]{4,}|[a-z]{0,3}\d[\w.]{0,20}\w/g;
const anyWords = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]{4,}|[a-z]{0,3}\d[\w.]{0,20}\w/gu;
const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;

/** Whether two texts are about the same, judged by the words that the shorter one has. */
export function isSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a];
  if (fewer.size === 0) return false;
  let shared = 0;
  for (const word of fewer) if (more.has(word)) shared += 1;
  return shared >= similarShare * fewer.size;
}

const similarShare = 0.6;

/** Words that say nothing of what a request is about; of three letters and more. */
const empty: ReadonlySet<string> = new Set(
  'the and for you are was were this that these those with not can could would will have has had but all any its our your from into please also now then than there here they them what which who how why when where should must'.split(
    ' ',
  ),
);

/** Words of a short sentence, to tell whether another is about the same: "Fix the bug" has two. */
export function subjectWords(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  const words = new Set([...contentWords(lower), ...(lower.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])]);
  for (const word of empty) words.delete(word);
  return words;
}

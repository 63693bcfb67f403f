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

/** Words of four letters and more, words with figures, and pairs of characters where a script has no spaces. */
export function contentWords(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  const words = new Set<string>(
    lower.match(/[\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]{4,}|[a-z]*\d[\w.]*\w/gu) ?? [],
  );
  for (const run of lower.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu) ??
    []) {
    for (let index = 0; index + 1 < run.length; index += 1) words.add(run.slice(index, index + 2));
  }
  return words;
}

/** Whether two texts are about the same, judged by the words that the shorter one has. */
export function isSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a];
  if (fewer.size === 0) return false;
  let shared = 0;
  for (const word of fewer) if (more.has(word)) shared += 1;
  return shared >= similarShare * fewer.size;
}

const similarShare = 0.6;

/** Words of four letters and more (shorter ones carry little), and single Chinese, Japanese or Korean characters. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  // Looking for letters by their script takes several times as long; most texts have only plain ones.
  return lower.match(plain.test(lower) ? plainWords : anyWords) ?? [];
}

const plain = /^[\x00-\x7f]*$/;
const plainWords = /[a-z0-9_]{4,}/g;
const anyWords = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]{4,}/gu;

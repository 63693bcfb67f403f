/** Words of four letters and more (shorter ones carry little), and single Chinese, Japanese or Korean characters. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]{4,}/gu) ?? []
  );
}

/** One word of a text, or one Chinese character: phrases are matched over these. */
export interface Word {
  /** Folded: lower case, full width as half width. */
  readonly word: string;
  /** As it is written. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** Begins with a capital letter. */
  readonly capital: boolean;
  /** Counts sentences; phrases never cross from one to the next. */
  readonly sentence: number;
}

const wordPattern =
  /\p{Script=Han}|['’]s(?![\p{L}\p{N}])|[\p{L}\p{N}](?:(?!\p{Script=Han}|['’]s(?![\p{L}\p{N}]))[\p{L}\p{M}\p{N}_]|[-'’&.](?=[\p{L}\p{N}])(?!\p{Script=Han}|['’]s(?![\p{L}\p{N}])))*/gu;
const shortForms: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st vs inc ltd co corp no etc e.g i.e jr sr'.split(' '),
);

/** Words of a text in order, in time linear in its length. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let sentence = 0;
  let before: Word | undefined;
  for (const match of text.matchAll(wordPattern)) {
    const raw = match[0];
    const start = match.index;
    const capital = /^\p{Lu}/u.test(raw);
    if (before && endsSentence(text, before, start, capital)) sentence += 1;
    before = { word: fold(raw), raw, start, end: start + raw.length, capital, sentence };
    words.push(before);
  }
  return words;
}

/** `’s` and `'s`, letters in any case or width are the same word. */
export function fold(text: string): string {
  return text.normalize('NFKC').replaceAll('’', "'").toLowerCase();
}

const longestGap = 200;

function endsSentence(text: string, before: Word, next: number, nextIsCapital: boolean): boolean {
  if (next - before.end > longestGap) return true;
  const gap = text.slice(before.end, next);
  if (/[。！？!?；;]|\n[ \t]*\n|\n[ \t]*[-*#>|+]/.test(gap)) return true;
  const hasStop = gap.startsWith('.') || /\.["')\]]*\s/.test(gap);
  return hasStop && /\s/.test(gap) && (nextIsCapital || /[[(“"]/.test(gap)) && !shortForms.has(before.word);
}

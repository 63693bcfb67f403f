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

const shortForms: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st vs inc ltd co corp no etc e.g i.e jr sr'.split(' '),
);

/** Words of a text in order, in time linear in its length. `Ann's` is two words. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let sentence = 0;
  let before: Word | undefined;
  const add = (raw: string, start: number): void => {
    const capital = isCapital(raw);
    if (before && endsSentence(text, before, start, capital)) sentence += 1;
    before = { word: fold(raw), raw, start, end: start + raw.length, capital, sentence };
    words.push(before);
  };
  let at = 0;
  while (at < text.length) {
    const end = wordEnd(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const raw = text.slice(at, end);
    const owned = raw.length > 2 && /['’]s$/i.test(raw) ? raw.length - 2 : raw.length;
    add(raw.slice(0, owned), at);
    if (owned < raw.length) add(raw.slice(owned), at + owned);
    at = end;
  }
  return words;
}

/** End of the word that begins at `from`; `from` itself where none does. Chinese has no spaces: one character is a word. */
function wordEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.codePointAt(at) ?? 0;
    const size = code > 0xffff ? 2 : 1;
    if (isHan(code)) return at === from ? at + size : at;
    if (!isWordCode(code)) {
      const next = text.codePointAt(at + 1) ?? 0;
      const joins = at > from && joiners.has(text.charAt(at)) && isWordCode(next) && !isHan(next);
      if (!joins) return at;
    }
    at += size;
  }
}

const joiners: ReadonlySet<string> = new Set(["'", '’', '-', '&', '.']);

function isHan(code: number): boolean {
  if (code < 0x3400) return code === 0x3005 || code === 0x3007;
  return code <= 0x9fff || (code >= 0xf900 && code <= 0xfaff) || (code >= 0x20000 && code <= 0x3ffff);
}

function isWordCode(code: number): boolean {
  if (code >= 128) return /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(code));
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function isCapital(raw: string): boolean {
  const code = raw.charCodeAt(0);
  return code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}/u.test(raw);
}

/** `’s` and `'s`, letters in any case or width are the same word. */
export function fold(text: string): string {
  // Plain letters need no normal form, and are most of what comes.
  if (/^[\w'.&-]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').replaceAll('’', "'").toLowerCase();
}

const longestGap = 200;

function endsSentence(text: string, before: Word, next: number, nextIsCapital: boolean): boolean {
  if (next - before.end > longestGap) return true;
  if (next === before.end || (next === before.end + 1 && ' -,/'.includes(text.charAt(before.end)))) return false;
  const gap = text.slice(before.end, next);
  if (/[。！？!?；;]|\n[ \t]*\n|\n[ \t]*[-*#>|+]/.test(gap)) return true;
  const hasStop = gap.startsWith('.') || /\.["')\]]*\s/.test(gap);
  return hasStop && /\s/.test(gap) && (nextIsCapital || /[[(“"]/.test(gap)) && !shortForms.has(before.word);
}

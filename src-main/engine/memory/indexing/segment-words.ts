import { stopWords } from './stop-words.ts';

/**
 * A text as the full-text index takes it: case and width folded, words apart, with a space between any two. Scripts
 * without spaces are cut into words (ICU's dictionary), and Chinese and Japanese into pairs of neighbouring characters as
 * well, because a name the dictionary lacks is found by its pairs only. Emoji become words. Linear in the text's length.
 */
export function segmentWords(text: string): string {
  return wordsIn(text).join(' ');
}

/**
 * What a query asks for, in its order, each once: words as `segmentWords` makes them, without those that say nothing
 * (English and Chinese). Empty when nothing else is left.
 */
export function queryTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const word of wordsIn(text)) {
    if (!stopWords.has(word) && !isEmptyPair(word)) terms.add(word);
  }
  return [...terms];
}

/** Longer runs of letters are encoded data, not words (UTF-16 units); the longest hash that people quote has 128. */
const longestWord = 128;

// Runs are bounded: the expression keeps a way back for each character, and the dictionary's time grows with the run.
const ascii = /^[\x00-\x7f]*$/;
const pieces =
  /(?<pairs>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]{1,1000})|(?<unspaced>[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,1000})|(?<emoji>\p{Extended_Pictographic}|\p{Regional_Indicator})|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]{1,1000}/gv;

/**
 * Normalising sorts the marks on a letter, in a time that grows with the square of their number. No language has more than
 * a few; 30 is the bound of the Stream-Safe Text Format (Unicode Standard Annex 15, section 13).
 */
const longMarks = /(?<kept>\p{M}{30})\p{M}+/gu;

const chinese = new Intl.Segmenter('zh', { granularity: 'word' });
const others = new Intl.Segmenter('th', { granularity: 'word' });

function wordsIn(text: string): string[] {
  if (ascii.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(isWord);
  const words: string[] = [];
  const folded = text.toWellFormed().replace(longMarks, '$<kept>').normalize('NFKC').toLowerCase();
  for (const match of folded.matchAll(pieces)) {
    const [piece] = match;
    const { pairs, unspaced, emoji } = match.groups ?? {};
    if (pairs !== undefined) addPairs(words, pairs);
    else if (unspaced !== undefined) for (const { segment } of others.segment(unspaced)) words.push(segment);
    else if (emoji !== undefined) words.push(`emoji${(emoji.codePointAt(0) ?? 0).toString(16)}`);
    else if (isWord(piece)) words.push(piece);
  }
  return words;
}

function isWord(word: string): boolean {
  return word.length <= longestWord;
}

/** Words of the dictionary and all pairs; a word of two characters is a pair anyway. */
function addPairs(words: string[], run: string): void {
  for (const { segment } of chinese.segment(run)) if ([...segment].length !== 2) words.push(segment);
  const characters = [...run];
  for (let index = 0; index + 1 < characters.length; index += 1) {
    words.push(`${characters[index] ?? ''}${characters[index + 1] ?? ''}`);
  }
}

/** Pairs such as 了吗 or 的数 that have an empty word in them come from between two words. */
function isEmptyPair(word: string): boolean {
  const characters = [...word];
  return characters.length === 2 && characters.some((character) => emptyCharacters.has(character));
}

const emptyCharacters: ReadonlySet<string> = new Set(
  '的了吗呢吧啊呀嘛么是在和与或把被让就都也还又很我你他她它们这那哪个之其及'.split(''),
);

import { segmentWords } from '../memory/indexing/segment-words.ts';
import type { QuestionWorth } from './term-worth.ts';
import { stemOf } from './word-forms.ts';

/** UTF-16 units that are looked through for the passage. */
const mostRead = 200_000;

/**
 * The part of a text that matches the question best, in whole lines or sentences, at most so many characters long. A text
 * that is short enough is given whole; one that begins or ends before its text does is marked with `…`.
 */
export function choosePassage(text: string, worth: QuestionWorth, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const pieces = piecesOf(text.slice(0, mostRead), mostCharacters);
  const values = pieces.map((piece) => valueOf(piece.text, worth));
  let [start, best, bestEnd] = [0, -1, 0];
  let [first, length, value] = [0, 0, 0];
  pieces.forEach((piece, index) => {
    length += piece.text.length;
    value += values[index] ?? 0;
    while (length > mostCharacters && first < index) {
      length -= pieces[first]?.text.length ?? 0;
      value -= values[first] ?? 0;
      first += 1;
    }
    // A little better is not worth starting later.
    if (value > best + 1e-9) [start, best, bestEnd] = [first, value, index];
  });
  // The passage may have room left behind it.
  let end = bestEnd;
  let size = pieces.slice(start, end + 1).reduce((sum, piece) => sum + piece.text.length, 0);
  for (let next = pieces[end + 1]; next && size + next.text.length <= mostCharacters; next = pieces[end + 1]) {
    size += next.text.length;
    end += 1;
  }
  const passage = pieces
    .slice(start, end + 1)
    .map((piece) => piece.text)
    .join('')
    .trim();
  const isCutBefore = start > 0;
  const isCutAfter = end + 1 < pieces.length || text.length > mostRead;
  return `${isCutBefore ? '… ' : ''}${passage.slice(0, mostCharacters).toWellFormed()}${isCutAfter ? ' …' : ''}`;
}

/** Sentences and lines with what follows them; longer ones are cut at the length that is asked for. */
function piecesOf(text: string, most: number): { readonly text: string }[] {
  const pieces: { readonly text: string }[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index] ?? '';
    const isEnd =
      mark === '\n' || '。！？'.includes(mark) || ('.!?'.includes(mark) && /\s/.test(text[index + 1] ?? ' '));
    if (!isEnd && index - start + 1 < most) continue;
    pieces.push({ text: text.slice(start, index + 1) });
    start = index + 1;
  }
  if (start < text.length) pieces.push({ text: text.slice(start) });
  return pieces;
}

function valueOf(text: string, worth: QuestionWorth): number {
  const words = new Set(segmentWords(text).split(' ').map(stemOf));
  return worth.stems.reduce((sum, { stem, worth: value }) => (words.has(stem) ? sum + value : sum), 0);
}

import { expect, it } from 'vitest';
import { relatedShares } from './related-words.ts';
import { RowWords } from './row-words.ts';

const worth = { stems: [{ stem: 'paint', worth: 2 }], total: 4 };
const others = Array.from({ length: 60 }, (_, index) => ['filler', `word${index}`]);

function sharesOf(texts: readonly (readonly string[])[]): Float64Array {
  const book = new RowWords();
  return relatedShares(
    texts.map((words) => book.of(words.join(' '))),
    worth,
    book,
  );
}

it('a text has a part of the question by a word that goes with one of the question in what was found', () => {
  const together = Array.from({ length: 4 }, () => ['paint', 'easel']);
  const shares = sharesOf([...together, ['easel', 'sale'], ...others]);
  expect(shares[4]).toBeGreaterThan(0.25);
  expect(shares[4]).toBeLessThanOrEqual(0.5);
  // Where the word itself stands, nothing is added; nor by words that are everywhere.
  expect(shares[0]).toBe(0);
  expect(shares[5]).toBe(0);
});

it('words that met twice, or in a few texts only, are no relation', () => {
  const twice = [['paint', 'easel'], ['paint', 'easel'], ['easel']];
  expect(Math.max(...sharesOf([...twice, ...others]))).toBe(0);
  const few = [...Array.from({ length: 4 }, () => ['paint', 'easel']), ['easel'], ['filler']];
  expect(Math.max(...sharesOf(few))).toBe(0);
});

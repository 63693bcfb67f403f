import fc from 'fast-check';
import { expect, it } from 'vitest';
import { segmentWords } from '../memory/indexing/segment-words.ts';
import { RowWords } from './row-words.ts';
import { stemOf } from './word-forms.ts';

/** As the numbers mean it. */
function stemsOf(text: string): string[] {
  return segmentWords(text)
    .split(' ')
    .flatMap((word) => (word === '' ? [] : [stemOf(word)]));
}

it('numbers of a text are those of its stems, in order, and each once by its first place', () => {
  const book = new RowWords();
  const texts = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc
      .array(fc.constantFrom('Paint', 'painted', 'went', 'GO', '东湖路', '3rd', 'a'.repeat(129)), { maxLength: 30 })
      .map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { stems, distinct } = book.of(text);
      expect([...stems]).toEqual(stemsOf(text).map((stem) => book.idOf(stem)));
      expect([...distinct]).toEqual([...new Set(stems)]);
    }),
  );
});

it('different stems have different numbers, also when a book has many', () => {
  const book = new RowWords();
  const words = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}x`);
  for (let at = 0; at < words.length; at += 100) book.of(words.slice(at, at + 100).join(' '));
  const different = new Set(words.map(stemOf));
  expect(new Set(words.map((word) => book.idOf(stemOf(word)))).size).toBe(different.size);
  expect(book.idOf('never')).toBe(-1);
});

import { segmentWords } from '../memory/indexing/segment-words.ts';
import { stemOf } from './word-forms.ts';

/** Words of long texts beyond these are not compared one by one; the index has searched all of them. */
const mostRead = 12_000;
const cached = 4_000;

/** Stems of texts, those used lately kept. */
export class RowWords {
  readonly #cache = new Map<string, readonly string[]>();

  of(text: string): readonly string[] {
    const known = this.#cache.get(text);
    if (known) return known;
    const words = segmentWords(text.slice(0, mostRead))
      .split(' ')
      .flatMap((word) => (word === '' ? [] : [stemOf(word)]));
    // A Map keeps insertion order: the first key is the oldest.
    const oldest = this.#cache.size >= cached ? this.#cache.keys().next().value : undefined;
    if (oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(text, words);
    return words;
  }
}

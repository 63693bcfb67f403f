import { segmentWords } from '../memory/indexing/segment-words.ts';
import { WordTable } from './word-table.ts';

/** Words of long texts beyond these are not compared one by one; the index has searched all of them (UTF-16 units). */
const mostRead = 12_000;
/** Texts whose words are kept; short plain ones are read again as fast as they are found. */
const mostKept = 1_000;
const longEnough = 2_000;
/** Different words after which a new book is begun: some 10 MB. */
const mostWords = 100_000;

/** The words of a text as numbers of their stems, which mean something beside the `RowWords` that gave them only. */
export interface TextWords {
  /** In order. */
  readonly stems: Int32Array;
  /** Each once, by its first place. */
  readonly distinct: Int32Array;
}

/** Stems of texts as numbers, which are compared many times faster than words. */
export class RowWords {
  readonly #table = new WordTable();
  readonly #kept = new Map<string, TextWords>();
  readonly #stems = new Int32Array(mostRead + 1);
  readonly #distinct = new Int32Array(mostRead + 1);
  /** For each stem the text that had it last. */
  #seen = new Int32Array(1 << 14);
  #text = 0;

  /** Holds more words than are worth keeping: whoever begins something takes a new one. */
  get isFull(): boolean {
    return this.#table.size > mostWords;
  }

  /** How many different stems there are: their numbers are smaller. */
  get count(): number {
    return this.#table.stems;
  }

  /** The number of a stem; -1 when no text has it that was read. */
  idOf(stem: string): number {
    return this.#table.find(stem);
  }

  /** What a stem says, as `stemTraits` has it. */
  traitsOf(id: number): number {
    return this.#table.traitsOf(id);
  }

  of(text: string): TextWords {
    const read = text.length <= mostRead ? text : text.slice(0, mostRead);
    if (read.length < longEnough) {
      const count = this.#table.readPlain(read, this.#stems);
      if (count !== undefined) return this.#take(this.#stems, count);
    }
    const known = this.#kept.get(text);
    if (known) return known;
    const words = this.#read(read);
    // A Map keeps insertion order: the first key is the oldest.
    const oldest = this.#kept.size >= mostKept ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(text, words);
    return words;
  }

  #read(text: string): TextWords {
    const count = this.#table.readPlain(text, this.#stems);
    if (count !== undefined) return this.#take(this.#stems, count);
    // Pairs of characters make more words than there are characters.
    const words = segmentWords(text).split(' ');
    const stems = Int32Array.from(
      words.filter((word) => word !== ''),
      (word) => this.#table.idOfWord(word),
    );
    return this.#take(stems, stems.length);
  }

  #take(stems: Int32Array, count: number): TextWords {
    if (this.#seen.length < this.count) {
      const seen = new Int32Array(this.count * 2);
      seen.set(this.#seen);
      this.#seen = seen;
    }
    const distinct = count <= this.#distinct.length ? this.#distinct : new Int32Array(count);
    const [seen, text] = [this.#seen, (this.#text += 1)];
    let different = 0;
    for (let at = 0; at < count; at += 1) {
      const stem = stems[at] ?? 0;
      if (seen[stem] === text) continue;
      seen[stem] = text;
      distinct[different] = stem;
      different += 1;
    }
    return { stems: stems.slice(0, count), distinct: distinct.slice(0, different) };
  }
}

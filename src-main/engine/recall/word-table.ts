import { stemTraits } from './stem-traits.ts';
import { stemOf } from './word-forms.ts';

/** Longer runs are encoded data and no words, as in `segmentWords`. */
const longestWord = 128;
/** Places that are looked at for a word; words that were chosen to collide are looked for elsewhere. */
const mostProbes = 24;
/** Fowler, Noll and Vo's hash with 32 bits (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/). */
const hashStart = 0x811c9dc5;
const hashPrime = 0x01000193;

/** Words and the numbers of their stems. Those of plain texts are found without being cut out of them. */
export class WordTable {
  readonly #ids = new Map<string, number>();
  readonly #traits: number[] = [];
  readonly #byWord = new Map<string, number>();
  /** Plain words by their hash: number and one of an entry below, 0 where there is none. */
  #slots = new Int32Array(1 << 13);
  /** Of each entry: its hash, the number of its stem, and where its letters begin; they end where the next one's begin. */
  #entries = new Int32Array(3 << 11);
  #letters = new Uint8Array(1 << 14);
  #count = 0;

  /** How many different words there are. */
  get size(): number {
    return this.#count + this.#byWord.size;
  }

  /** How many different stems there are: their numbers are smaller. */
  get stems(): number {
    return this.#traits.length;
  }

  /** The number of a stem; -1 when no word has it. */
  find(stem: string): number {
    return this.#ids.get(stem) ?? -1;
  }

  /** As `stemTraits` has them. */
  traitsOf(id: number): number {
    return this.#traits[id] ?? 0;
  }

  idOfWord(word: string): number {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const id = this.#idOfStem(stemOf(word));
    this.#byWord.set(word, id);
    return id;
  }

  /**
   * Stems of the words of an ASCII text, as `segmentWords` cuts them.
   * @param into has room for half as many numbers as the text has characters, and one
   * @returns how many there are; undefined when the text is not ASCII
   */
  readPlain(text: string, into: Int32Array): number | undefined {
    let [count, start, hash] = [0, -1, hashStart];
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      if (code > 127) return undefined;
      const folded = code >= 65 && code <= 90 ? code | 32 : code;
      if ((folded >= 97 && folded <= 122) || (folded >= 48 && folded <= 57)) {
        if (start < 0) start = at;
        hash = Math.imul(hash ^ folded, hashPrime);
      } else if (start >= 0) {
        if (at - start <= longestWord) {
          into[count] = this.#idOfPlain(text, start, at, hash);
          count += 1;
        }
        start = -1;
        hash = hashStart;
      }
    }
    return count;
  }

  #idOfPlain(text: string, start: number, end: number, hash: number): number {
    const [slots, entries] = [this.#slots, this.#entries];
    const mask = slots.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const entry = ((slots[place] ?? 0) - 1) * 3;
      if (entry < 0) return this.#addPlain(text.slice(start, end).toLowerCase(), hash, place);
      if (entries[entry] === hash && this.#isAt(entry, text, start, end)) return entries[entry + 1] ?? 0;
      place = (place + 1) & mask;
    }
    return this.idOfWord(text.slice(start, end).toLowerCase());
  }

  #addPlain(word: string, hash: number, place: number): number {
    const id = this.#idOfStem(stemOf(word));
    const entry = this.#count * 3;
    const from = this.#entries[entry + 2] ?? 0;
    const to = from + word.length;
    // Room for where the next one begins.
    if (entry + 6 > this.#entries.length) this.#entries = doubled(this.#entries, Int32Array);
    if (to > this.#letters.length) this.#letters = doubled(this.#letters, Uint8Array);
    for (let at = 0; at < word.length; at += 1) this.#letters[from + at] = word.charCodeAt(at);
    this.#entries[entry] = hash;
    this.#entries[entry + 1] = id;
    this.#entries[entry + 5] = to;
    this.#count += 1;
    this.#slots[place] = this.#count;
    if (this.#count * 4 > this.#slots.length) this.#grow();
    return id;
  }

  /** The entry is the word at this place of a text, whatever its case. */
  #isAt(entry: number, text: string, start: number, end: number): boolean {
    const [entries, letters] = [this.#entries, this.#letters];
    const from = entries[entry + 2] ?? 0;
    if ((entries[entry + 5] ?? 0) - from !== end - start) return false;
    for (let at = start, place = from; at < end; at += 1, place += 1) {
      const code = text.charCodeAt(at);
      if (letters[place] !== (code >= 65 && code <= 90 ? code | 32 : code)) return false;
    }
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#count; entry += 1) {
      const hash = this.#entries[entry * 3] ?? 0;
      let place = (hash ^ (hash >>> 15)) & mask;
      for (let probe = 0; probe < mostProbes; probe += 1, place = (place + 1) & mask) {
        if (slots[place] !== 0) continue;
        slots[place] = entry + 1;
        break;
      }
    }
    this.#slots = slots;
  }

  #idOfStem(stem: string): number {
    const known = this.#ids.get(stem);
    if (known !== undefined) return known;
    const id = this.#traits.length;
    this.#traits.push(stemTraits(stem));
    this.#ids.set(stem, id);
    return id;
  }
}

function doubled<T extends Int32Array | Uint8Array>(numbers: T, make: new (length: number) => T): T {
  const larger = new make(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

import { stemTraits } from './turn-traits.ts';
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
  readonly #words: string[] = [];
  readonly #hashes: number[] = [];
  readonly #stemIds: number[] = [];

  /** How many different words there are. */
  get size(): number {
    return this.#words.length + this.#byWord.size;
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
    const mask = this.#slots.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const entry = (this.#slots[place] ?? 0) - 1;
      if (entry < 0) return this.#addPlain(text.slice(start, end).toLowerCase(), hash, place);
      if (this.#hashes[entry] === hash && isAt(this.#words[entry] ?? '', text, start, end))
        return this.#stemIds[entry] ?? 0;
      place = (place + 1) & mask;
    }
    return this.idOfWord(text.slice(start, end).toLowerCase());
  }

  #addPlain(word: string, hash: number, place: number): number {
    const id = this.#idOfStem(stemOf(word));
    this.#words.push(word);
    this.#hashes.push(hash);
    this.#stemIds.push(id);
    this.#slots[place] = this.#words.length;
    if (this.#words.length * 4 > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    this.#hashes.forEach((hash, entry) => {
      let place = (hash ^ (hash >>> 15)) & mask;
      for (let probe = 0; probe < mostProbes; probe += 1, place = (place + 1) & mask) {
        if (slots[place] !== 0) continue;
        slots[place] = entry + 1;
        return;
      }
    });
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

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1) {
    const code = text.charCodeAt(start + at);
    if (word.charCodeAt(at) !== (code >= 65 && code <= 90 ? code | 32 : code)) return false;
  }
  return true;
}

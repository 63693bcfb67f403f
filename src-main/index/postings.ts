import { LeastOfBest } from './least-of-best.ts';
import { decodeWords, weighed, type ColumnCounts } from './row-word-counts.ts';
import { WordChains } from './word-chains.ts';

/** Constants of BM25 as FTS5 has them (sqlite.org/fts5.html, "The bm25() function"). */
export const k1 = 1.2;
export const b = 0.75;
/** FTS5 gives words that are in more than half of the rows this weight, so that they do not count against a row. */
const leastIdf = 1e-6;
/** Dead slots that are borne before the lists are written anew: at least these, and this share of all. */
const mostDead = 4_096;
const deadShare = 0.25;
/** Rows that are as good as the last one which is answered; of more (the same short text, thousands of times) the newest. */
const mostEqual = 4_000;

export interface WeightedWord {
  readonly id: number;
  readonly weight: number;
}

/** Inverse document frequency as FTS5 has it. */
export function idfOf(count: number, rows: number): number {
  return Math.max(leastIdf, Math.log((rows - count + 0.5) / (count + 0.5)));
}

/**
 * For each word the rows that have it, in memory: some eight bytes for each word of a row. A row that is written anew gets
 * a new slot, so that lists only grow at their ends; dead slots are skipped, and left behind when there are many.
 */
export class Postings {
  #chains = new WordChains();
  /** Rows that have the word now, by its number. */
  #counts = new Uint32Array(1_024);
  /** By slot: the row (0: the slot is dead), and its words. */
  #rowOf = new Uint32Array(1_024);
  #lengths = new Uint32Array(1_024);
  #used = 0;
  #dead = 0;
  #words = 0;
  /** By row: its slot plus one; 0: none. */
  #slotOf = new Uint32Array(1_024);
  /** By slot: what BM25 adds to the frequency for the row's length; undefined after a change. */
  #norms: Float64Array | undefined;
  #scores = new Float64Array(0);

  get rows(): number {
    return this.#used - this.#dead;
  }

  /** In how many rows a word occurs. */
  count(word: number): number {
    return this.#counts[word] ?? 0;
  }

  /** @param words as `encodeWords` writes them */
  add(row: number, length: number, words: Uint8Array): void {
    const slot = this.#newSlot(row, length);
    decodeWords(words, (word, packed) => {
      this.#chains.append(word, slot, packed);
      if (word >= this.#counts.length) this.#counts = grown(this.#counts, this.#chains.words);
      this.#counts[word] = (this.#counts[word] ?? 0) + 1;
    });
  }

  /** @param words those that it was added with */
  remove(row: number, words: Uint8Array): void {
    const slot = (this.#slotOf[row] ?? 0) - 1;
    if (slot < 0) return;
    this.#slotOf[row] = 0;
    this.#rowOf[slot] = 0;
    this.#words -= this.#lengths[slot] ?? 0;
    this.#dead += 1;
    this.#norms = undefined;
    decodeWords(words, (word) => {
      this.#counts[word] = (this.#counts[word] ?? 1) - 1;
    });
    if (this.#dead > mostDead && this.#dead > this.#used * deadShare) this.#compact();
  }

  /** How many of the rows with a word are wanted. @param isWanted a 1 at each of them; 0 at row 0 */
  countAmong(word: number, isWanted: Uint8Array): number {
    let count = 0;
    const rowOf = this.#rowOf;
    this.#chains.each(word, (slots, _packed, from, to) => {
      for (let at = from; at < to; at += 1) count += isWanted[rowOf[slots[at] ?? 0] ?? 0] ?? 0;
    });
    return count;
  }

  /**
   * The best of all rows that have any of the words, by BM25 with a weight for each word and column, and those that are as
   * good as the last of them; unsorted.
   * @param isWanted a 1 at each row that may be answered; 0 at row 0
   */
  best(
    words: readonly WeightedWord[],
    weights: ColumnCounts,
    isWanted: Uint8Array,
    limit: number,
  ): readonly (readonly [row: number, score: number])[] {
    if (this.#scores.length < this.#used) this.#scores = new Float64Array(this.#rowOf.length);
    const scores = this.#scores.subarray(0, this.#used).fill(0);
    const norms = (this.#norms ??= this.#makeNorms());
    for (const word of words) this.#addScores(scores, norms, word, weights);
    return this.#choose(scores, isWanted, limit);
  }

  #addScores(scores: Float64Array, norms: Float64Array, { id, weight }: WeightedWord, weights: ColumnCounts): void {
    const factor = weight * idfOf(this.count(id), this.rows) * (k1 + 1);
    this.#chains.each(id, (slots, packed, from, to) => {
      for (let at = from; at < to; at += 1) {
        const slot = slots[at] ?? 0;
        const counts = packed[at] ?? 0;
        const frequency = weighed(counts, weights);
        scores[slot] = (scores[slot] ?? 0) + (factor * frequency) / (frequency + (norms[slot] ?? 1));
      }
    });
  }

  #choose(scores: Float64Array, isWanted: Uint8Array, limit: number): [number, number][] {
    const rowOf = this.#rowOf;
    const chosen = new LeastOfBest(limit);
    let least = 0;
    for (let slot = 0; slot < scores.length; slot += 1) {
      const score = scores[slot] ?? 0;
      if (score <= least || isWanted[rowOf[slot] ?? 0] !== 1) continue;
      chosen.add(score);
      least = chosen.score;
    }
    const best: [number, number][] = [];
    let equal = 0;
    for (let slot = scores.length - 1; slot >= 0; slot -= 1) {
      const score = scores[slot] ?? 0;
      if (score < least || score === 0) continue;
      const row = rowOf[slot] ?? 0;
      if (isWanted[row] !== 1 || (score === least && ++equal > mostEqual)) continue;
      best.push([row, score]);
    }
    return best;
  }

  #newSlot(row: number, length: number): number {
    const slot = this.#used;
    this.#used += 1;
    if (this.#used > this.#rowOf.length) {
      this.#rowOf = grown(this.#rowOf, this.#used);
      this.#lengths = grown(this.#lengths, this.#used);
    }
    if (row >= this.#slotOf.length) this.#slotOf = grown(this.#slotOf, row + 1);
    this.#rowOf[slot] = row;
    this.#lengths[slot] = length;
    this.#slotOf[row] = slot + 1;
    this.#words += length;
    this.#norms = undefined;
    return slot;
  }

  #makeNorms(): Float64Array {
    const average = this.#words / Math.max(1, this.rows) || 1;
    const norms = new Float64Array(this.#used);
    for (let slot = 0; slot < norms.length; slot += 1) {
      norms[slot] = k1 * (1 - b + (b * (this.#lengths[slot] ?? 0)) / average);
    }
    return norms;
  }

  /** Without the dead slots; the order of the others stays. */
  #compact(): void {
    const [rowOf, lengths] = [this.#rowOf, this.#lengths];
    const newSlots = new Uint32Array(this.#used);
    let used = 0;
    for (let slot = 0; slot < this.#used; slot += 1) {
      const row = rowOf[slot] ?? 0;
      if (row === 0) continue;
      rowOf[used] = row;
      lengths[used] = lengths[slot] ?? 0;
      this.#slotOf[row] = used + 1;
      used += 1;
      // Plus one; 0 is a dead one.
      newSlots[slot] = used;
    }
    const chains = new WordChains();
    for (let word = 0; word < this.#chains.words; word += 1) {
      this.#chains.each(word, (slots, packed, from, to) => {
        for (let at = from; at < to; at += 1) {
          const slot = newSlots[slots[at] ?? 0] ?? 0;
          if (slot > 0) chains.append(word, slot - 1, packed[at] ?? 0);
        }
      });
    }
    this.#chains = chains;
    this.#used = used;
    this.#dead = 0;
    this.#norms = undefined;
  }
}

function grown(array: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(size, array.length * 2));
  larger.set(array);
  return larger;
}

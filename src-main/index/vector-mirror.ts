/** Signs beyond this many numbers tell nothing more about which rows are worth a look. */
const mostSigns = 512;

/** Numbers of all vectors are kept in memory up to this many bytes; beyond, they are read where they are compared. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The signs of all vectors, one bit a number, and the numbers as int8 while these are not too many. Which rows could be near
 * is found by counting differing signs; what is near is then measured on the numbers themselves.
 */
export class VectorMirror {
  #dimension = 0;
  #words = 0;
  #signs = new Uint32Array(0);
  #numbers: Int8Array<ArrayBuffer> | undefined;
  #present = new Uint8Array(0);
  /** The highest row and one. */
  #end = 0;
  #count = 0;

  /** @param dimension 0: there are no vectors */
  reset(dimension: number): void {
    this.#dimension = dimension;
    this.#words = Math.ceil(Math.min(dimension, mostSigns) / 32);
    this.#signs = new Uint32Array(0);
    this.#numbers = new Int8Array(0);
    this.#present = new Uint8Array(0);
    this.#end = 0;
    this.#count = 0;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether `cosines` answers. */
  get hasNumbers(): boolean {
    return this.#numbers !== undefined;
  }

  put(id: number, vector: Int8Array): void {
    this.#grow(id + 1);
    if (this.#present[id] !== 1) this.#count += 1;
    this.#present[id] = 1;
    this.#end = Math.max(this.#end, id + 1);
    this.#signs.set(signsOf(vector), id * this.#words);
    this.#numbers?.set(vector, id * this.#dimension);
  }

  remove(id: number): void {
    if (this.#present[id] !== 1) return;
    this.#present[id] = 0;
    this.#numbers?.fill(0, id * this.#dimension, (id + 1) * this.#dimension);
    this.#count -= 1;
  }

  /**
   * At least `wanted` rows (if there are as many) whose signs differ least; those that tie with the last are all in.
   * @param query signs
   * @param isWanted a 1 at each row that may be answered
   */
  nearest(query: Uint32Array, wanted: number, isWanted: Uint8Array): number[] {
    const [own, present, words, end] = [this.#signs, this.#present, this.#words, this.#end];
    const half = words >> 1;
    const histogram = new Uint32Array(words * 32 + 2);
    const ids = new Uint32Array(this.#count);
    const distances = new Uint16Array(this.#count);
    let found = 0;
    let [cutoff, below] = [words * 32, 0];
    for (let id = 0; id < end; id += 1) {
      if (present[id] !== 1 || isWanted[id] !== 1) continue;
      let at = id * words;
      let distance = 0;
      let word = 0;
      for (; word < half; word += 1, at += 1) distance += bitCount((own[at] ?? 0) ^ (query[word] ?? 0));
      // Half of the signs tell of most rows that they are too far away.
      if (distance > cutoff) continue;
      for (; word < words; word += 1, at += 1) distance += bitCount((own[at] ?? 0) ^ (query[word] ?? 0));
      if (distance > cutoff) continue;
      ids[found] = id;
      distances[found] = distance;
      found += 1;
      histogram[distance] = (histogram[distance] ?? 0) + 1;
      below += 1;
      // Without the farthest there are still enough.
      while (below - (histogram[cutoff] ?? 0) >= wanted && cutoff > 0) {
        below -= histogram[cutoff] ?? 0;
        cutoff -= 1;
      }
    }
    const near: number[] = [];
    for (let at = 0; at < found; at += 1) if ((distances[at] ?? 0) <= cutoff) near.push(ids[at] ?? 0);
    return near;
  }

  /** Cosines of rows with the query; undefined where their numbers are not in memory. */
  cosines(query: Float32Array, ids: readonly number[]): Map<number, number> | undefined {
    const numbers = this.#numbers;
    if (!numbers) return undefined;
    const size = this.#dimension;
    const length = Math.hypot(...query) || 1;
    return new Map(
      ids.map((id) => {
        let [dot, square] = [0, 0];
        for (let at = 0, place = id * size; at < size; at += 1, place += 1) {
          const number = numbers[place] ?? 0;
          dot += number * (query[at] ?? 0);
          square += number * number;
        }
        return [id, square === 0 ? 0 : dot / (length * Math.sqrt(square))];
      }),
    );
  }

  /** Copies of the numbers of rows, all in one buffer; undefined where they are not in memory. */
  of(ids: readonly number[]): Map<number, Int8Array> | undefined {
    const numbers = this.#numbers;
    if (!numbers) return undefined;
    const size = this.#dimension;
    const present = ids.filter((id) => this.#present[id] === 1);
    const copy = new Int8Array(present.length * size);
    return new Map(
      present.map((id, at) => {
        copy.set(numbers.subarray(id * size, (id + 1) * size), at * size);
        return [id, copy.subarray(at * size, (at + 1) * size)];
      }),
    );
  }

  #grow(size: number): void {
    if (size <= this.#present.length) return;
    const capacity = Math.max(size, Math.ceil(this.#present.length * 1.5), 1_024);
    const signs = new Uint32Array(capacity * this.#words);
    const present = new Uint8Array(capacity);
    signs.set(this.#signs);
    present.set(this.#present);
    this.#signs = signs;
    this.#present = present;
    const numbers = capacity * this.#dimension > mostBytes ? undefined : new Int8Array(capacity * this.#dimension);
    if (this.#numbers) numbers?.set(this.#numbers);
    this.#numbers &&= numbers;
  }
}

/** The signs of the first numbers of a vector as bits. */
export function signsOf(vector: Int8Array): Uint32Array {
  const count = Math.min(vector.length, mostSigns);
  const signs = new Uint32Array(Math.ceil(count / 32));
  for (let at = 0; at < count; at += 1) {
    if ((vector[at] ?? 0) > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  }
  return signs;
}

/** A vector as int8. Cosine does not care for length, so that each uses the whole range. */
export function toInt8(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127));
}

/** Hacker's Delight, figure 5-2. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

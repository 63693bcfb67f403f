/** Entries of one piece of the store; blocks never cross from one into the next. */
const pieceBits = 16;
const pieceSize = 1 << pieceBits;
const inPiece = pieceSize - 1;
const smallestBlock = 4;
const largestBlock = 1_024;

/** Gets a part of a list: slots and their packed counts, from one position to before another. */
export type TakeEntries = (slots: Uint32Array, packed: Uint16Array, from: number, to: number) => void;

/**
 * A growing list of (slot, packed counts) for each word, six bytes an entry. A list is a chain of blocks that double in
 * size; the first entry of a block holds the address of the next block (0: none) and the block's size. Nothing is copied
 * when a list grows, and a word that stands in one row takes 24 bytes.
 */
export class WordChains {
  /** By word: addresses of its first and last block, and of the place behind its last entry. */
  #first = new Uint32Array(1_024);
  #last = new Uint32Array(1_024);
  #tail = new Uint32Array(1_024);
  readonly #slots: Uint32Array[] = [];
  readonly #packed: Uint16Array[] = [];
  /** Next free address. */
  #free = 1;

  /** Words have numbers below it. */
  get words(): number {
    return this.#first.length;
  }

  append(word: number, slot: number, packed: number): void {
    if (word >= this.#first.length) this.#grow(word + 1);
    const last = this.#last[word] ?? 0;
    let address = this.#tail[word] ?? 0;
    if (last === 0 || address - last === this.#sizeOf(last)) address = this.#addBlock(word, last);
    const [slots, counts] = [this.#slots[address >>> pieceBits], this.#packed[address >>> pieceBits]];
    if (!slots || !counts) throw new Error('A block lies outside the store.');
    slots[address & inPiece] = slot;
    counts[address & inPiece] = packed;
    this.#tail[word] = address + 1;
  }

  /** The parts of a word's list, in the order in which it grew. */
  each(word: number, take: TakeEntries): void {
    const tail = this.#tail[word] ?? 0;
    for (let block = this.#first[word] ?? 0; block !== 0;) {
      const [slots, packed] = [this.#slots[block >>> pieceBits], this.#packed[block >>> pieceBits]];
      if (!slots || !packed) return;
      const at = block & inPiece;
      const next = slots[at] ?? 0;
      take(slots, packed, at + 1, at + (next === 0 ? tail - block : (packed[at] ?? 0)));
      block = next;
    }
  }

  /** Address of the first entry of a new block behind the last one. */
  #addBlock(word: number, last: number): number {
    const size = last === 0 ? smallestBlock : Math.min(largestBlock, this.#sizeOf(last) * 2);
    if ((this.#free & inPiece) + size > pieceSize) this.#free = ((this.#free >>> pieceBits) + 1) * pieceSize;
    const block = this.#free;
    this.#free += size;
    if (this.#slots.length <= block >>> pieceBits) {
      this.#slots.push(new Uint32Array(pieceSize));
      this.#packed.push(new Uint16Array(pieceSize));
    }
    const sizes = this.#packed[block >>> pieceBits];
    if (sizes) sizes[block & inPiece] = size;
    const before = this.#slots[last >>> pieceBits];
    if (last === 0) this.#first[word] = block;
    else if (before) before[last & inPiece] = block;
    this.#last[word] = block;
    return block + 1;
  }

  #sizeOf(block: number): number {
    return this.#packed[block >>> pieceBits]?.[block & inPiece] ?? 0;
  }

  #grow(size: number): void {
    const grown = (array: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(Math.max(size, array.length * 2));
      larger.set(array);
      return larger;
    };
    this.#first = grown(this.#first);
    this.#last = grown(this.#last);
    this.#tail = grown(this.#tail);
  }
}

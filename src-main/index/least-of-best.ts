/** The least of the best scores so far, for a choice of the best that does not sort the others. */
export class LeastOfBest {
  readonly #heap: Float64Array;
  #size = 0;

  /** @param limit how many are chosen, at least one */
  constructor(limit: number) {
    this.#heap = new Float64Array(limit);
  }

  /** What is not above it is not among the best; 0 until there are as many as are wanted. */
  get score(): number {
    return this.#size < this.#heap.length ? 0 : (this.#heap[0] ?? 0);
  }

  /** @param score above `score` */
  add(score: number): void {
    if (this.#size < this.#heap.length) this.#rise(score);
    else this.#sink(score);
  }

  #rise(score: number): void {
    const heap = this.#heap;
    let at = this.#size;
    this.#size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= score) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = score;
  }

  #sink(score: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
      const below = heap[child] ?? 0;
      if (below >= score) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = score;
  }
}

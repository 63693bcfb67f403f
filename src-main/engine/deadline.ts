export type DeadlineOutcome<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'late' };

/** A point in time that several pieces of work are held against. */
export class Deadline {
  readonly #late: Promise<{ readonly state: 'late' }>;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms from now on */
  constructor(ms: number) {
    this.#late = new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve({ state: 'late' }), ms);
    });
  }

  /** Waits for the work until then; work that comes later is let finish and its outcome ignored. Never throws. */
  wait<T>(work: Promise<T>): Promise<DeadlineOutcome<T>> {
    const finished = work.then(
      (value): DeadlineOutcome<T> => ({ state: 'done', value }),
      (error: unknown): DeadlineOutcome<T> => ({ state: 'failed', error }),
    );
    return Promise.race([finished, this.#late]);
  }

  /** Nothing waits for it any more. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}

import { Deadline } from '../deadline.ts';
import type { SessionStore, StoreStats } from '../ports/session-store.ts';

/** A health check that does not answer is no health check (ms). */
const patience = 1_500;

/** The store's figures, or the last known ones when it does not answer. */
export class StoreHealth {
  readonly #store: SessionStore;
  readonly #onFailure: (error: unknown) => void;
  #last: StoreStats = { schemaVersion: 0, sessions: 0, turns: 0, sizeBytes: 0 };

  constructor(store: SessionStore, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Never rejects; `isFresh` tells whether the store answered. */
  async read(): Promise<StoreStats & { readonly isFresh: boolean }> {
    const deadline = new Deadline(patience);
    const outcome = await deadline.wait(this.#store.stats());
    deadline.clear();
    if (outcome.state === 'done') this.#last = outcome.value;
    else this.#onFailure(outcome.state === 'failed' ? outcome.error : new Error(`no answer after ${patience} ms`));
    return { ...this.#last, isFresh: outcome.state === 'done' };
  }
}

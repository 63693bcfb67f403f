/** A page whose index rows are due. */
export interface OutboxEntry {
  readonly seq: number;
  readonly uri: string;
  readonly op: 'put' | 'remove';
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  readonly attempts: number;
}

export interface OutboxBacklog {
  readonly waiting: number;
  /** Tried too often: they wait for a person, or for the next repair. */
  readonly dead: number;
  /** When the oldest that waits was enqueued (ms since the epoch). */
  readonly oldest: number | null;
}

/**
 * What the index has yet to take in. Rows are written with the page versions that they announce and taken out once the
 * index has them: what is announced is delivered at least once. Failures are EngineErrors of the store.
 */
export interface MemoryOutbox {
  /** Oldest first; of one URI possibly several, of which the last one counts. */
  due(now: number, limit: number): readonly OutboxEntry[];
  backlog(): OutboxBacklog;
  /** Announces pages anew. */
  put(uris: readonly string[], op: 'put' | 'remove', at: number): void;
  /** The index has it: this entry and older ones of its URI are done. */
  done(entries: readonly { readonly uri: string; readonly seq: number }[]): void;
  failed(entry: { readonly seq: number }, nextAt: number, error: string, dead: boolean): void;
  /** Dead ones are due again; counts them. */
  reviveDead(): number;
}

import type { MemoryIndexWriter } from '../engine/ports/memory-index-writer.ts';
import { IndexClient, queryAborted, type Backlog, type IndexLine } from './index-client.ts';
import { IndexDesk, indexClosed } from './index-calls.ts';

export interface IndexOptions {
  /** Absolute path. */
  readonly file: string;
  /** What waits in the outbox, for `state`. */
  readonly backlog?: () => Backlog;
  /** Milliseconds since the epoch; names a damaged file that is set aside. */
  readonly now?: () => number;
}

export const noBacklog: Backlog = { waiting: 0, dead: 0, oldest: null };

/**
 * The index on the thread of the caller, for tests and scripts.
 * @throws EngineError `store_failed`
 */
export function openInlineIndex(options: IndexOptions): MemoryIndexWriter {
  const { file, backlog = () => noBacklog, now = Date.now } = options;
  return new IndexClient(new InlineLine(new IndexDesk(file, now())), backlog);
}

class InlineLine implements IndexLine {
  readonly #desk: IndexDesk;
  #isClosed = false;

  constructor(desk: IndexDesk) {
    this.#desk = desk;
  }

  note = (): string => this.#desk.note;

  call: IndexLine['call'] = async (method, args, signal) => {
    await Promise.resolve();
    if (this.#isClosed) throw indexClosed();
    if (signal?.aborted) throw queryAborted();
    while (!this.#desk.isLoaded) this.#desk.load();
    return this.#desk.call(method, args);
  };

  close(): Promise<void> {
    if (!this.#isClosed) this.#desk.close();
    this.#isClosed = true;
    return Promise.resolve();
  }
}

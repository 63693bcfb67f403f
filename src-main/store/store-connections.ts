import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { ReadConnection, WriteConnection } from './sqlite/connection.ts';
import { toStoreError } from './sqlite/to-store-error.ts';

/**
 * The writer and the reader of one open database. Work runs here so that every failure comes out as an EngineError,
 * and so that nothing more is written once the file is known to be damaged.
 */
export class StoreConnections {
  readonly writer: WriteConnection;
  readonly reader: ReadConnection;
  readonly #onCorruption: (reason: string) => void;
  #corrupt: EngineError | undefined;
  #closed = false;

  constructor(writer: WriteConnection, reader: ReadConnection, onCorruption: (reason: string) => void) {
    this.writer = writer;
    this.reader = reader;
    this.#onCorruption = onCorruption;
  }

  get isCorrupt(): boolean {
    return this.#corrupt !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** One consistent view of the database. @throws EngineError */
  read<T>(work: () => T): T {
    return this.#run(() => this.reader.snapshot(work));
  }

  /** One transaction. @throws EngineError */
  write<T>(work: () => T): T {
    if (this.#corrupt !== undefined) throw this.#corrupt;
    return this.#run(() => this.writer.transaction(work));
  }

  /**
   * One transaction that a power cut may take back (the end of the process may not): its commit does not wait for the
   * disk. Only for records of what happened, never for what somebody was told is stored. @throws EngineError
   */
  writeLoosely<T>(work: () => T): T {
    return this.maintain((writer) => {
      writer.pragma('synchronous = NORMAL');
      try {
        return writer.transaction(work);
      } finally {
        writer.pragma('synchronous = FULL');
      }
    });
  }

  /** What the writer must do outside a transaction. @throws EngineError */
  maintain<T>(work: (writer: WriteConnection) => T): T {
    if (this.#corrupt !== undefined) throw this.#corrupt;
    return this.#run(() => work(this.writer));
  }

  close(): void {
    this.#closed = true;
    this.reader.close();
    this.writer.close();
  }

  #run<T>(work: () => T): T {
    if (this.#closed) {
      throw new EngineError('shutting_down', 'The store is closed: Strata is stopping. Try again when it runs.');
    }
    try {
      return work();
    } catch (error) {
      const failure = toStoreError(error);
      if (failure.code === 'store_corrupt' && this.#corrupt === undefined) {
        this.#corrupt = failure;
        this.#onCorruption(failure.message);
      }
      throw failure;
    }
  }
}

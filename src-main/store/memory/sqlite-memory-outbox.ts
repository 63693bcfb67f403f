import type { MemoryOutbox, OutboxBacklog, OutboxEntry } from '../../engine/ports/memory-outbox.ts';
import type { StoreConnections } from '../store-connections.ts';
import { memoryOutboxReads, memoryOutboxWrites } from '../tables/memory-outbox-table.ts';

/** The port over SQLite. What it forgets in a power cut is delivered again, so its writes do not wait for the disk. */
export class SqliteMemoryOutbox implements MemoryOutbox {
  readonly #db: StoreConnections;
  readonly #reads: ReturnType<typeof memoryOutboxReads>;
  readonly #writes: ReturnType<typeof memoryOutboxWrites>;

  constructor(db: StoreConnections) {
    this.#db = db;
    this.#reads = memoryOutboxReads(db.reader);
    this.#writes = memoryOutboxWrites(db.writer);
  }

  due(now: number, limit: number): readonly OutboxEntry[] {
    return this.#db.read(() => this.#reads.due(now, limit));
  }

  backlog(): OutboxBacklog {
    return this.#db.read(() => this.#reads.state());
  }

  put(uris: readonly string[], op: 'put' | 'remove', at: number): void {
    this.#db.writeLoosely(() => {
      for (const uri of uris) this.#writes.put(uri, op, at);
    });
  }

  done(entries: readonly { readonly uri: string; readonly seq: number }[]): void {
    this.#db.writeLoosely(() => {
      for (const { uri, seq } of entries) this.#writes.done(uri, seq);
    });
  }

  failed({ seq }: { readonly seq: number }, nextAt: number, error: string, dead: boolean): void {
    this.#db.writeLoosely(() => {
      this.#writes.failed(seq, nextAt, error, dead);
    });
  }

  reviveDead(): number {
    return this.#db.writeLoosely(() => this.#writes.reviveDead());
  }
}

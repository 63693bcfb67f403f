import type { MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import type {
  MemoryOperations,
  OperationChange,
  OperationFilter,
  StoredOperation,
  TurnRange,
} from '../../engine/ports/memory-operations.ts';
import type { Page, PageRequest } from '../../engine/ports/session-store.ts';
import { readCursor, writeCursor } from '../page-cursor.ts';
import type { StoreConnections } from '../store-connections.ts';
import {
  operationReads,
  operationWrites,
  type OperationReads,
  type OperationRow,
  type OperationWrites,
  type ReadRow,
} from './operation-tables.ts';

/** What stands in the place of a text that was erased. */
const erased = '[erased]';

/** The port over SQLite. */
export class SqliteMemoryOperations implements MemoryOperations {
  readonly #db: StoreConnections;
  readonly #reads: OperationReads;
  readonly #writes: OperationWrites;

  constructor(db: StoreConnections) {
    this.#db = db;
    this.#reads = operationReads(db.reader);
    this.#writes = operationWrites(db.writer);
  }

  async add({ operation, changes }: StoredOperation, key: string | undefined): Promise<void> {
    this.#db.write(() => {
      this.#writes.insert({
        id: operation.operation_id,
        sessionUid: operation.session_uid ?? null,
        uri: operation.uri ?? null,
        supersedes: operation.supersedes ?? null,
        action: operation.action,
        record: JSON.stringify(operation),
        changes: JSON.stringify(changes),
      });
      if (key !== undefined) this.#writes.insertKey(key, operation.operation_id);
    });
  }

  async find(operationId: string): Promise<StoredOperation | undefined> {
    return this.#db.read(() => {
      const row = this.#reads.byId(operationId);
      return row && fromRow(row);
    });
  }

  async list(page: PageRequest, filter: OperationFilter): Promise<Page<MemoryOperation>> {
    return this.#db.read(() => {
      const [before = Infinity] = page.cursor === undefined ? [] : readCursor('memory operations', page.cursor, 1);
      const values = { uri: filter.uri ?? null, sessionUid: filter.sessionUid ?? null, action: filter.action ?? null };
      const found = this.#reads.page(values, Math.min(before, Number.MAX_SAFE_INTEGER), page.limit + 1);
      const rows = found.slice(0, page.limit);
      const last = rows.at(-1);
      const nextCursor = found.length > page.limit && last ? writeCursor('memory operations', [last.no]) : undefined;
      return { items: rows.map((row) => fromRow(row).operation), nextCursor, total: this.#reads.count(values) };
    });
  }

  async judged(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    return this.#db.read(() => new Set(this.#reads.judged(keys)));
  }

  async markUndone(operationId: string, at: string): Promise<boolean> {
    return this.#db.write(() => this.#writes.undone(operationId, at));
  }

  async eraseTexts(uri: string): Promise<number> {
    // What is overwritten must not be found in freed pages of the file, nor in the write-ahead log.
    this.#db.maintain((writer) => writer.pragma('secure_delete = 1'));
    const count = this.#db.write(() => {
      const rows = this.#writes.about(uri);
      for (const row of rows) this.#writes.rewrite(row.no, JSON.stringify(withoutText(fromRow(row).operation)));
      return rows.length;
    });
    this.#db.maintain((writer) => writer.pragma('wal_checkpoint(TRUNCATE)'));
    return count;
  }

  async unread(sessionUid: string, range: TurnRange): Promise<readonly TurnRange[]> {
    return this.#db.read(() => gaps(range, this.#reads.overlapping(sessionUid, range.start, range.end)));
  }

  async noteRead(sessionUid: string, range: TurnRange, at: number): Promise<void> {
    this.#db.write(() => {
      const read = this.#writes.overlapping(sessionUid, range.start, range.end);
      for (const gap of gaps(range, read)) this.#writes.insertRead(sessionUid, gap.start, gap.end, at);
    });
  }

  async behind(limit: number): Promise<readonly { readonly sessionUid: string; readonly lastSequence: number }[]> {
    return this.#db.read(() => this.#reads.behind(limit));
  }
}

/** Parts of a range that none of these, in order and without overlaps, covers. */
function gaps({ start, end }: TurnRange, read: readonly ReadRow[]): TurnRange[] {
  const found: TurnRange[] = [];
  let from = start;
  for (const one of read) {
    if (one.start > from) found.push({ start: from, end: one.start - 1 });
    from = Math.max(from, one.end + 1);
  }
  if (from <= end) found.push({ start: from, end });
  return found;
}

function withoutText(operation: MemoryOperation): MemoryOperation {
  const { reason } = operation;
  return { ...operation, text: erased, reason: { code: reason.code, message: erased }, compared: [] };
}

function fromRow({ record, changes, undoneAt }: OperationRow): StoredOperation {
  // Both were written above from values of these types.
  const operation = JSON.parse(record) as MemoryOperation;
  return {
    operation: undoneAt === null ? operation : { ...operation, undone_at: undoneAt },
    changes: JSON.parse(changes) as readonly OperationChange[],
  };
}

import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface OutboxRow {
  readonly seq: number;
  readonly uri: string;
  readonly op: 'put' | 'remove';
  readonly enqueuedAt: number;
  readonly attempts: number;
}

export interface OutboxState {
  readonly waiting: number;
  readonly dead: number;
  /** Milliseconds since the epoch. */
  readonly oldest: number | null;
}

const columns = 'seq, uri, op, enqueued_at AS enqueuedAt, attempts';

export function memoryOutboxReads(db: ReadConnection) {
  const due = db.query<[number, number], OutboxRow>(
    `SELECT ${columns} FROM memory_outbox WHERE dead = 0 AND next_at <= ? ORDER BY seq LIMIT ?`,
  );
  const state = db.query<[], OutboxState>(
    `SELECT count(*) FILTER (WHERE dead = 0) AS waiting, count(*) FILTER (WHERE dead = 1) AS dead,
       min(enqueued_at) FILTER (WHERE dead = 0) AS oldest FROM memory_outbox`,
  );
  return {
    /** Oldest first; of one URI possibly several, of which the last one counts. */
    due: (now: number, limit: number): readonly OutboxRow[] => due.all(now, limit),
    state: (): OutboxState => state.get() ?? { waiting: 0, dead: 0, oldest: null },
  };
}

export function memoryOutboxWrites(db: WriteConnection) {
  const insert = db.command<[string, 'put' | 'remove', number]>(
    'INSERT INTO memory_outbox (uri, op, enqueued_at) VALUES (?, ?, ?)',
  );
  const remove = db.command<[string, number]>('DELETE FROM memory_outbox WHERE uri = ? AND seq <= ?');
  const fail = db.command<[number, string, 0 | 1, number]>(
    'UPDATE memory_outbox SET attempts = attempts + 1, next_at = ?, error = ?, dead = ? WHERE seq = ?',
  );
  const revive = db.command<[]>('UPDATE memory_outbox SET dead = 0, attempts = 0, next_at = 0 WHERE dead = 1');
  return {
    ...memoryOutboxReads(db),
    /** Call it in the transaction that writes what is announced. */
    put: (uri: string, op: 'put' | 'remove', at: number): void => {
      insert.run(uri, op, at);
    },
    /** The index has it: this row and older ones of the same URI are done. */
    done: (uri: string, seq: number): void => {
      remove.run(uri, seq);
    },
    failed: (seq: number, nextAt: number, error: string, dead: boolean): void => {
      fail.run(nextAt, error.slice(0, 1_000), dead ? 1 : 0, seq);
    },
    reviveDead: (): number => revive.run().changes,
  };
}

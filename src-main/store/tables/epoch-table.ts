import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

/** Sequences of an epoch: after `start`, up to and including `end`. */
export interface EpochRange {
  readonly start: number;
  readonly end: number;
}

const sql = `SELECT start_sequence AS start,
    (SELECT n.start_sequence FROM epoch n WHERE n.session_no = e.session_no AND n.epoch = e.epoch + 1) AS next
  FROM epoch e WHERE e.session_no = ? AND e.epoch = ?`;

export function epochReads(db: ReadConnection) {
  const select = db.query<[number, number], { readonly start: number; readonly next: number | null }>(sql);
  return {
    /** Undefined when the session has no such epoch. */
    range(session: { readonly no: number; readonly lastSequence: number }, epoch: number): EpochRange | undefined {
      const found = select.get(session.no, epoch);
      return found && { start: found.start, end: found.next ?? session.lastSequence };
    },
  };
}

export function epochWrites(db: WriteConnection) {
  const insert = db.command<[number, number, number, number]>(
    'INSERT INTO epoch (session_no, epoch, start_sequence, started_at) VALUES (?, ?, ?, ?)',
  );
  return {
    ...epochReads(db),
    insert: (sessionNo: number, epoch: number, startSequence: number, at: number): void =>
      void insert.run(sessionNo, epoch, startSequence, at),
  };
}

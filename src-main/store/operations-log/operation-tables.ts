import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface OperationRow {
  readonly no: number;
  readonly record: string;
  readonly changes: string;
  readonly undoneAt: string | null;
}

export interface ReadRow {
  readonly start: number;
  readonly end: number;
}

interface ListValues {
  readonly uri: string | null;
  readonly sessionUid: string | null;
  readonly action: string | null;
}

const columns = 'operation_no AS no, record, changes, undone_at AS undoneAt';
const filtered = `(@uri IS NULL OR uri = @uri OR supersedes = @uri)
  AND (@sessionUid IS NULL OR session_uid = @sessionUid) AND (@action IS NULL OR action = @action)`;

export const operationSql = {
  byId: `SELECT ${columns} FROM memory_operation WHERE operation_id = ?`,
  page: `SELECT ${columns} FROM memory_operation WHERE ${filtered} AND operation_no < @before
    ORDER BY operation_no DESC LIMIT @limit`,
  about: `SELECT ${columns} FROM memory_operation WHERE uri = @uri OR supersedes = @uri`,
  judged: 'SELECT key FROM memory_judged WHERE key IN (SELECT value FROM json_each(?) wanted)',
  overlapping: `SELECT start_sequence AS start, end_sequence AS end FROM memory_read
    WHERE session_uid = @sessionUid AND start_sequence <= @end AND end_sequence >= @start ORDER BY start_sequence`,
  count: `SELECT count(*) AS count FROM memory_operation WHERE ${filtered}`,
  behind: `SELECT uid AS sessionUid, last_sequence AS lastSequence FROM session
    WHERE last_sequence > coalesce((SELECT sum(end_sequence - start_sequence + 1) FROM memory_read r
      WHERE r.session_uid = session.uid), 0)
    ORDER BY last_active_at DESC LIMIT ?`,
} as const;

export function operationReads(db: ReadConnection) {
  const byId = db.query<[string], OperationRow>(operationSql.byId);
  const page = db.query<[ListValues & { readonly before: number; readonly limit: number }], OperationRow>(
    operationSql.page,
  );
  const count = db.query<[ListValues], { readonly count: number }>(operationSql.count);
  const about = db.query<[{ readonly uri: string }], OperationRow>(operationSql.about);
  const judged = db.query<[string], { readonly key: string }>(operationSql.judged);
  const overlapping = db.query<
    [{ readonly sessionUid: string; readonly start: number; readonly end: number }],
    ReadRow
  >(operationSql.overlapping);
  const behind = db.query<[number], { readonly sessionUid: string; readonly lastSequence: number }>(
    operationSql.behind,
  );
  return {
    byId: (id: string) => byId.get(id),
    page: (values: ListValues, before: number, limit: number) => page.all({ ...values, before, limit }),
    count: (values: ListValues): number => count.get(values)?.count ?? 0,
    about: (uri: string) => about.all({ uri }),
    judged: (keys: readonly string[]) => judged.all(JSON.stringify(keys)).map(({ key }) => key),
    /** Ranges that were read and touch the given one, in order. */
    overlapping: (sessionUid: string, start: number, end: number) => overlapping.all({ sessionUid, start, end }),
    behind: (limit: number) => behind.all(limit),
  };
}
export type OperationReads = ReturnType<typeof operationReads>;

export function operationWrites(db: WriteConnection) {
  const insert = db.command<[Readonly<Record<string, string | null>>]>(
    `INSERT INTO memory_operation (operation_id, session_uid, uri, supersedes, action, record, changes)
     VALUES (@id, @sessionUid, @uri, @supersedes, @action, @record, @changes)`,
  );
  const insertKey = db.command<[string, string]>(
    'INSERT OR IGNORE INTO memory_judged (key, operation_id) VALUES (?, ?)',
  );
  const undone = db.command<[string, string]>(
    'UPDATE memory_operation SET undone_at = ? WHERE operation_id = ? AND undone_at IS NULL',
  );
  const rewrite = db.command<[string, number]>('UPDATE memory_operation SET record = ? WHERE operation_no = ?');
  const insertRead = db.command<[string, number, number, number]>(
    'INSERT INTO memory_read (session_uid, start_sequence, end_sequence, read_at) VALUES (?, ?, ?, ?)',
  );
  return {
    ...operationReads(db),
    insert: (values: Readonly<Record<string, string | null>>): void => void insert.run(values),
    insertKey: (key: string, id: string): void => void insertKey.run(key, id),
    undone: (id: string, at: string): boolean => undone.run(at, id).changes > 0,
    rewrite: (no: number, record: string): void => void rewrite.run(record, no),
    insertRead: (sessionUid: string, start: number, end: number, at: number): void =>
      void insertRead.run(sessionUid, start, end, at),
  };
}
export type OperationWrites = ReturnType<typeof operationWrites>;

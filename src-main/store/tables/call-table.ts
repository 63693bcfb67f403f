import type { CallSummary } from '../../../src-shared/model/trace.ts';
import type { PackedBytes } from '../content/pack-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface StoredSummary {
  readonly no: number;
  readonly summary: CallSummary;
}

export interface StoredTrace {
  readonly no: number;
  readonly sessionNo: number;
  readonly packed: PackedBytes;
}

interface SummaryRow {
  readonly no: number;
  readonly summary: string;
  readonly usage: string | null;
}

interface TraceRow extends PackedBytes {
  readonly no: number;
  readonly sessionNo: number;
}

export const callSql = {
  page: `SELECT call_no AS no, summary, usage FROM call LEFT JOIN call_usage USING (call_no)
    WHERE session_no = ? AND call_no < ? ORDER BY call_no DESC LIMIT ?`,
  byId: 'SELECT call_no AS no, session_no AS sessionNo, encoding, trace AS bytes FROM call WHERE call_id = ?',
  upTo: `SELECT call_no AS no, session_no AS sessionNo, encoding, trace AS bytes FROM call
    WHERE call_no <= ? ORDER BY call_no DESC LIMIT ?`,
  oldestKept: 'SELECT call_no AS no, content_mark AS mark FROM call ORDER BY call_no DESC LIMIT 1 OFFSET ?',
} as const;

export function callReads(db: ReadConnection) {
  const page = db.query<[number, number, number], SummaryRow>(callSql.page);
  const upTo = db.query<[number, number], TraceRow>(callSql.upTo);
  const byId = db.query<[string], TraceRow>(callSql.byId);
  return {
    page: (sessionNo: number, before: number, limit: number): readonly StoredSummary[] =>
      page.all(sessionNo, before, limit).map(fromRow),
    /** Traces of a call and of older ones, newest first. */
    upTo: (callNo: number, limit: number): readonly StoredTrace[] =>
      upTo.all(callNo, limit).map((row) => ({ no: row.no, sessionNo: row.sessionNo, packed: row })),
    find(callId: string): StoredTrace | undefined {
      const row = byId.get(callId);
      return row && { no: row.no, sessionNo: row.sessionNo, packed: row };
    },
  };
}

export function callWrites(db: WriteConnection) {
  const insert = db.command<[string, number, number, string, number, Uint8Array]>(
    'INSERT INTO call (call_id, session_no, content_mark, summary, encoding, trace) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertContents = db.command<[number, string]>(
    `INSERT INTO call_content (call_no, content_no)
     SELECT ?, content_no FROM json_each(?) wanted
       CROSS JOIN content ON content_hash = unhex(wanted.value)
       CROSS JOIN loose_content USING (content_no)`,
  );
  const newestBeyond = db.query<[number], { readonly no: number; readonly mark: number }>(callSql.oldestKept);
  const countsUpTo = db.query<[number], { readonly sessionNo: number; readonly calls: number }>(
    'SELECT session_no AS sessionNo, count(*) AS calls FROM call WHERE call_no <= ? GROUP BY session_no',
  );
  const lowerCount = db.command<[{ readonly calls: number; readonly sessionNo: number }]>(
    `UPDATE session SET call_count = call_count - @calls,
       last_call_id = CASE WHEN call_count = @calls THEN NULL ELSE last_call_id END WHERE session_no = @sessionNo`,
  );
  const deletions = ['call_content', 'call_usage', 'call_page', 'call'].map((table) =>
    db.command<[number]>(`DELETE FROM ${table} WHERE call_no <= ?`),
  );
  const garbage = db.query<[number], { readonly no: number }>(
    `SELECT content_no AS no FROM loose_content l WHERE content_no <= ?
       AND NOT EXISTS (SELECT 1 FROM call_content c WHERE c.content_no = l.content_no)`,
  );
  return {
    ...callReads(db),
    insert: (sessionNo: number, summary: CallSummary, trace: PackedBytes, contentMark: number): number =>
      insert.run(summary.call_id, sessionNo, contentMark, JSON.stringify(summary), trace.encoding, trace.bytes).rowid,
    /** Remembers the loose ones among these contents, so that they live as long as the call. */
    nameContents: (callNo: number, hashes: readonly string[]): void =>
      void insertContents.run(callNo, JSON.stringify([...new Set(hashes)])),
    /** The newest call that is older than the `keep` newest ones. */
    newestBeyond: (keep: number) => newestBeyond.get(keep),
    /** Deletes a call and all older ones, and takes them off their sessions' counts. */
    deleteUpTo(callNo: number): number {
      let deleted = 0;
      for (const { sessionNo, calls } of countsUpTo.all(callNo)) {
        lowerCount.run({ calls, sessionNo });
        deleted += calls;
      }
      for (const deletion of deletions) deletion.run(callNo);
      return deleted;
    },
    /** Loose contents up to the mark that no call names. */
    garbage: (contentMark: number): readonly number[] => garbage.all(contentMark).map((row) => row.no),
  };
}

function fromRow(row: SummaryRow): StoredSummary {
  // Both texts were written from values of these types.
  const summary = JSON.parse(row.summary) as CallSummary;
  const usage = row.usage === null ? undefined : (JSON.parse(row.usage) as CallSummary['usage']);
  return { no: row.no, summary: usage === undefined ? summary : { ...summary, usage } };
}

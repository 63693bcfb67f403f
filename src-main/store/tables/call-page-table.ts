import type { CallPage, CallPageUse } from '../../engine/ports/call-pages.ts';
import type { CallSummary, DecisionAction, DecisionReason } from '../../../src-shared/model/trace.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

interface UseRow {
  readonly no: number;
  readonly uri: string;
  readonly item: string;
  readonly how: CallPage['how'];
  readonly action: DecisionAction;
  readonly reason: DecisionReason;
  readonly tokens: number;
  readonly sharedBy: number;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly summary: string;
}

const ofPages = 'uri IN (SELECT value FROM json_each(?))';

export const callPageSql = {
  page: `SELECT call_no AS no, uri, item, how, action, reason, tokens, shared_by AS sharedBy, score, threshold, summary
    FROM call_page JOIN call USING (call_no)
    WHERE ${ofPages} AND call_no < ? AND action = coalesce(?, action) ORDER BY call_no DESC LIMIT ?`,
  counts: `SELECT action, count(*) AS calls FROM call_page WHERE ${ofPages} GROUP BY action`,
  newestCost: `SELECT tokens FROM call_page WHERE ${ofPages} AND action <> 'dropped' ORDER BY call_no DESC LIMIT 1`,
} as const;

export function callPageReads(db: ReadConnection) {
  const page = db.query<[string, number, string | null, number], UseRow>(callPageSql.page);
  const counts = db.query<[string], { readonly action: DecisionAction; readonly calls: number }>(callPageSql.counts);
  const newestCost = db.query<[string], { readonly tokens: number }>(callPageSql.newestCost);
  const pending = db.query<[], { readonly calls: number }>(
    `SELECT count(*) AS calls FROM call
     WHERE call_no <= (SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'calls_without_pages')`,
  );
  return {
    page: (
      uris: readonly string[],
      before: number,
      action: DecisionAction | undefined,
      limit: number,
    ): readonly (CallPageUse & { readonly no: number })[] =>
      page.all(JSON.stringify(uris), Math.min(before, Number.MAX_SAFE_INTEGER), action ?? null, limit).map(fromRow),
    counts: (uris: readonly string[]): ReadonlyMap<DecisionAction, number> =>
      new Map(counts.all(JSON.stringify(uris)).map(({ action, calls }) => [action, calls])),
    newestCost: (uris: readonly string[]): number | undefined => newestCost.get(JSON.stringify(uris))?.tokens,
    /** Calls that were recorded before there was this table and were not looked through yet. */
    pending: (): number => pending.get()?.calls ?? 0,
  };
}

export function callPageWrites(db: WriteConnection) {
  const insert = db.command<
    [string, number, string, string, string, string, number, number, number | null, number | null]
  >(
    `INSERT OR IGNORE INTO call_page (uri, call_no, item, how, action, reason, tokens, shared_by, score, threshold)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    ...callPageReads(db),
    /** What is there already stays. */
    insert(callNo: number, pages: readonly CallPage[]): void {
      for (const { uri, item, how, action, reason, tokens, sharedBy, score, threshold } of pages) {
        insert.run(uri, callNo, item, how, action, reason, tokens, sharedBy, score ?? null, threshold ?? null);
      }
    },
  };
}

function fromRow({ summary, score, threshold, ...row }: UseRow): CallPageUse & { readonly no: number } {
  // Written from a value of this type.
  const call = JSON.parse(summary) as CallSummary;
  return {
    ...row,
    callId: call.call_id,
    sessionUid: call.session_uid,
    sessionId: call.session_id,
    at: call.created_at,
    ...(score === null ? {} : { score }),
    ...(threshold === null ? {} : { threshold }),
  };
}

import type { SessionIdentity, SessionRow } from '../../engine/ports/session-store.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

/** A session and the number that other tables know it by. */
export interface StoredSession extends SessionRow {
  readonly no: number;
}

export interface SessionFilter {
  readonly agentId?: string;
  readonly sessionKey?: string;
}

/** Place in the listing by activity: the last session of the page before. */
export interface ActivityPosition {
  readonly lastActiveAt: number;
  readonly no: number;
}

interface Row {
  readonly no: number;
  readonly uid: string;
  readonly userId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly epoch: number;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  readonly lastSequence: number;
  readonly epochStart: number;
  readonly epochTokens: number;
  readonly checkpointCount: number;
  readonly callCount: number;
  readonly lastCallId: string | null;
  readonly lastBudget: number | null;
  readonly lastModel: string | null;
  readonly cursor: string | null;
  readonly parentSessionKey: string | null;
  readonly endedReason: string | null;
  readonly endedAt: number | null;
}

const columns = `session_no AS no, uid, user_id AS userId, agent_id AS agentId, session_id AS sessionId,
  session_key AS sessionKey, epoch, created_at AS createdAt, last_active_at AS lastActiveAt,
  last_sequence AS lastSequence, epoch_start AS epochStart, epoch_tokens AS epochTokens,
  checkpoint_count AS checkpointCount, call_count AS callCount, last_call_id AS lastCallId,
  last_budget AS lastBudget, last_model AS lastModel, cursor, parent_session_key AS parentSessionKey,
  ended_reason AS endedReason, ended_at AS endedAt`;

const newest = 'ORDER BY last_active_at DESC, session_no DESC';
const filtered = '(@agentId IS NULL OR agent_id = @agentId) AND (@sessionKey IS NULL OR session_key = @sessionKey)';

export const sessionSql = {
  byUid: `SELECT ${columns} FROM session WHERE uid = ?`,
  byNo: `SELECT ${columns} FROM session WHERE session_no = ?`,
  exact: `SELECT ${columns} FROM session WHERE user_id = ? AND agent_id = ? AND session_id = ? AND session_key = ?`,
  ofAgent: `SELECT ${columns} FROM session WHERE user_id = ? AND agent_id = ? AND session_id = ? ${newest} LIMIT 1`,
  byId: `SELECT ${columns} FROM session WHERE session_id = ? ${newest}`,
  byKey: `SELECT ${columns} FROM session WHERE user_id = ? AND session_key = ? ${newest} LIMIT 1`,
  byParent: `SELECT ${columns} FROM session WHERE user_id = ? AND parent_session_key = ? ${newest} LIMIT 100`,
  page: `SELECT ${columns} FROM session WHERE ${filtered} 
    AND (last_active_at, session_no) < (@lastActiveAt, @no) ${newest} LIMIT @limit`,
  count: `SELECT count(*) AS count FROM session WHERE ${filtered}`,
  totals: 'SELECT count(*) AS sessions, coalesce(sum(last_sequence), 0) AS turns FROM session',
} as const;

export function sessionReads(db: ReadConnection) {
  const byNo = db.query<[number], Row>(sessionSql.byNo);
  const byUid = db.query<[string], Row>(sessionSql.byUid);
  const exact = db.query<[string, string, string, string], Row>(sessionSql.exact);
  const ofAgent = db.query<[string, string, string], Row>(sessionSql.ofAgent);
  const byId = db.query<[string], Row>(sessionSql.byId);
  const byKey = db.query<[string, string], Row>(sessionSql.byKey);
  const byParent = db.query<[string, string], Row>(sessionSql.byParent);
  const page = db.query<[Filter & ActivityPosition & { readonly limit: number }], Row>(sessionSql.page);
  const count = db.query<[Filter], { readonly count: number }>(sessionSql.count);
  const totals = db.query<[], { readonly sessions: number; readonly turns: number }>(sessionSql.totals);
  return {
    byNo: (no: number) => toSession(byNo.get(no)),
    byUid: (uid: string) => toSession(byUid.get(uid)),
    exact: (who: SessionIdentity) => toSession(exact.get(who.userId, who.agentId, who.sessionId, who.sessionKey)),
    /** The most recently active session with the host's id, whatever its key. */
    newestOfAgent: (who: SessionIdentity) => toSession(ofAgent.get(who.userId, who.agentId, who.sessionId)),
    bySessionId: (sessionId: string): readonly StoredSession[] => byId.all(sessionId).map(fromRow),
    newestByKey: (userId: string, sessionKey: string) => toSession(byKey.get(userId, sessionKey)),
    /** Last active first; 100 at most. */
    children: (userId: string, parentKey: string): readonly StoredSession[] =>
      byParent.all(userId, parentKey).map(fromRow),
    page: (filter: SessionFilter, after: ActivityPosition, limit: number): readonly StoredSession[] =>
      page.all({ ...named(filter), lastActiveAt: after.lastActiveAt, no: after.no, limit }).map(fromRow),
    count: (filter: SessionFilter): number => count.get(named(filter))?.count ?? 0,
    totals: () => totals.get() ?? { sessions: 0, turns: 0 },
  };
}

export function sessionWrites(db: WriteConnection) {
  const insert = db.command<[string, string, string, string, string, number, number]>(
    `INSERT INTO session (uid, user_id, agent_id, session_id, session_key, created_at, last_active_at,
       epoch, last_sequence, epoch_start, epoch_tokens, checkpoint_count, call_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)`,
  );
  const adopt = db.command<[string, number]>('UPDATE session SET session_key = ? WHERE session_no = ?');
  const save = db.command<SavedFields>(
    `UPDATE session SET epoch = ?, last_active_at = ?, last_sequence = ?, epoch_start = ?, epoch_tokens = ?,
       checkpoint_count = ?, call_count = ?, last_call_id = ?, last_budget = ?, last_model = ?, cursor = ?,
       parent_session_key = ?, ended_reason = ?, ended_at = ? WHERE session_no = ?`,
  );
  return {
    ...sessionReads(db),
    insert: (who: SessionIdentity, uid: string, at: number): void =>
      void insert.run(uid, who.userId, who.agentId, who.sessionId, who.sessionKey, at, at),
    setKey: (no: number, sessionKey: string): void => void adopt.run(sessionKey, no),
    save: (session: StoredSession): void => void save.run(...savedFields(session)),
  };
}

interface Filter {
  readonly agentId: string | null;
  readonly sessionKey: string | null;
}

function named(filter: SessionFilter): Filter {
  return { agentId: filter.agentId ?? null, sessionKey: filter.sessionKey ?? null };
}

type Nullable<T> = T | null;
type SavedFields = [
  ...[number, number, number, number, number, number, number],
  ...[Nullable<string>, Nullable<number>, Nullable<string>, Nullable<string>, Nullable<string>],
  ...[Nullable<string>, Nullable<number>, number],
];

function savedFields(session: StoredSession): SavedFields {
  return [
    session.epoch,
    session.lastActiveAt,
    session.lastSequence,
    session.epochStart,
    session.epochTokens,
    session.checkpointCount,
    session.callCount,
    session.lastCallId ?? null,
    session.lastBudget ?? null,
    session.lastModel ?? null,
    session.cursor ?? null,
    session.parentSessionKey ?? null,
    session.ended?.reason ?? null,
    session.ended?.at ?? null,
    session.no,
  ];
}

function toSession(row: Row | undefined): StoredSession | undefined {
  return row === undefined ? undefined : fromRow(row);
}

function fromRow({ endedReason, endedAt, ...row }: Row): StoredSession {
  return {
    ...row,
    lastCallId: row.lastCallId ?? undefined,
    lastBudget: row.lastBudget ?? undefined,
    lastModel: row.lastModel ?? undefined,
    cursor: row.cursor ?? undefined,
    parentSessionKey: row.parentSessionKey ?? undefined,
    ended: endedReason === null || endedAt === null ? undefined : { reason: endedReason, at: endedAt },
  };
}

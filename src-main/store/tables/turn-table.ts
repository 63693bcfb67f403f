import type { TurnMeta } from '../../engine/ports/session-store.ts';
import { hashBytes } from '../content/hash-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';
import type { EpochRange } from './epoch-table.ts';

interface Row {
  readonly turnId: string;
  readonly sequence: number;
  readonly epoch: number;
  readonly identity: string;
  readonly messageKey: string;
  readonly entryId: string | null;
  readonly advancementKey: string | null;
  readonly role: TurnMeta['role'];
  readonly format: TurnMeta['format'];
  readonly timestamp: number;
  readonly contentHash: string;
  readonly tokens: number;
  readonly tokensCumulative: number;
  readonly preview: string;
  readonly toolCallIds: string;
  readonly toolResultFor: string | null;
  readonly excluded: number;
  readonly heartbeat: number;
}

const columns = `turn_id AS turnId, sequence, epoch, identity, lower(hex(message_key)) AS messageKey,
  entry_id AS entryId, advancement_key AS advancementKey, role, format, timestamp,
  lower(hex(content_hash)) AS contentHash, tokens, tokens_cumulative AS tokensCumulative, preview,
  tool_call_ids AS toolCallIds, tool_result_for AS toolResultFor, excluded, heartbeat`;

const within = 'session_no = ? AND sequence > ? AND sequence <= ?';

// CROSS JOIN keeps the order: each wanted value is one look-up, never a scan of the session.
export const turnSql = {
  ascending: `SELECT ${columns} FROM turn WHERE ${within} ORDER BY sequence LIMIT ?`,
  descending: `SELECT ${columns} FROM turn WHERE ${within} ORDER BY sequence DESC LIMIT ?`,
  byIdentity: `SELECT ${columns} FROM json_each(?) wanted CROSS JOIN turn
    ON session_no = ? AND identity = wanted.value ORDER BY sequence`,
  byMessageKey: `SELECT ${columns} FROM json_each(?) wanted CROSS JOIN turn INDEXED BY turn_by_message_key
    ON session_no = ? AND message_key = unhex(wanted.value) AND sequence > ? AND sequence <= ? ORDER BY sequence`,
  bySequences: `SELECT ${columns} FROM json_each(?) wanted CROSS JOIN turn
    ON session_no = ? AND sequence = wanted.value`,
  bySequence: 'SELECT turn_id AS turnId FROM turn WHERE session_no = ? AND sequence = ?',
  sequenceOf: 'SELECT sequence, turn_id AS turnId FROM turn WHERE session_no = ? AND identity = ?',
} as const;

export function turnReads(db: ReadConnection) {
  const ascending = db.query<[number, number, number, number], Row>(turnSql.ascending);
  const descending = db.query<[number, number, number, number], Row>(turnSql.descending);
  const byIdentity = db.query<[string, number], Row>(turnSql.byIdentity);
  const byMessageKey = db.query<[string, number, number, number], Row>(turnSql.byMessageKey);
  const bySequences = db.query<[string, number], Row>(turnSql.bySequences);
  const bySequence = db.query<[number, number], { readonly turnId: string }>(turnSql.bySequence);
  const sequenceOf = db.query<[number, string], { readonly sequence: number; readonly turnId: string }>(
    turnSql.sequenceOf,
  );
  return {
    range: (no: number, range: EpochRange, order: 'asc' | 'desc', limit: number): readonly TurnMeta[] =>
      (order === 'asc' ? ascending : descending).all(no, range.start, range.end, limit).map(fromRow),
    /** In order of sequence, each turn once. */
    byIdentity: (no: number, identities: readonly string[]): readonly TurnMeta[] =>
      byIdentity.all(JSON.stringify([...new Set(identities)]), no).map(fromRow),
    byMessageKey: (no: number, range: EpochRange, keys: readonly string[]): readonly TurnMeta[] =>
      byMessageKey.all(JSON.stringify([...new Set(keys)]), no, range.start, range.end).map(fromRow),
    bySequences: (no: number, sequences: readonly number[]): readonly TurnMeta[] =>
      bySequences.all(JSON.stringify(sequences), no).map(fromRow),
    turnIdAt: (no: number, sequence: number): string | undefined => bySequence.get(no, sequence)?.turnId,
    find: (no: number, identity: string) => sequenceOf.get(no, identity),
  };
}

export function turnWrites(db: WriteConnection) {
  const insert = db.command<InsertedFields>(
    `INSERT INTO turn (session_no, sequence, turn_id, epoch, identity, message_key, content_hash, entry_id,
       advancement_key, role, format, timestamp, tokens, tokens_cumulative, preview, tool_call_ids, tool_result_for,
       excluded, heartbeat)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    ...turnReads(db),
    insert: (no: number, turn: TurnMeta): void => void insert.run(...insertedFields(no, turn)),
  };
}

type InsertedFields = [
  ...[number, number, string, number, string, Uint8Array, Uint8Array, string | null],
  ...[string | null, string, string, number, number, number, string, string, string | null, number, number],
];

function insertedFields(no: number, turn: TurnMeta): InsertedFields {
  return [
    no,
    turn.sequence,
    turn.turnId,
    turn.epoch,
    turn.identity,
    hashBytes(turn.messageKey, 'message key'),
    hashBytes(turn.contentHash, 'content hash'),
    turn.entryId ?? null,
    turn.advancementKey ?? null,
    turn.role,
    turn.format,
    turn.timestamp,
    turn.tokens,
    turn.tokensCumulative,
    turn.preview,
    JSON.stringify(turn.toolCallIds),
    turn.toolResultFor ?? null,
    Number(turn.excluded),
    Number(turn.heartbeat),
  ];
}

const none: readonly string[] = [];

function fromRow(row: Row): TurnMeta {
  return {
    ...row,
    entryId: row.entryId ?? undefined,
    advancementKey: row.advancementKey ?? undefined,
    // Written by insertedFields above. Most turns call no tool; parsing a thousand empty lists takes a millisecond.
    toolCallIds: row.toolCallIds === '[]' ? none : (JSON.parse(row.toolCallIds) as string[]),
    toolResultFor: row.toolResultFor ?? undefined,
    excluded: row.excluded === 1,
    heartbeat: row.heartbeat === 1,
  };
}

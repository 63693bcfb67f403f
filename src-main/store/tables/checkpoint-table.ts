import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { CheckpointEnd, StoredCheckpoint } from '../../engine/ports/session-store.ts';
import { packJson, unpackJson } from '../content/pack-json.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';
import { mendCheckpoint, mendTime } from './mend-checkpoint.ts';

/** A checkpoint with the numbers that tables know it and its session by. */
export interface CheckpointRow extends StoredCheckpoint {
  readonly no: number;
  readonly sessionNo: number;
}

interface Row {
  readonly no: number;
  readonly sessionNo: number;
  readonly encoding: number;
  readonly bytes: Uint8Array;
  readonly state: CheckpointEnd['state'] | null;
  readonly endedAt: number | null;
  readonly endedBy: string | null;
}

const columns = `checkpoint.checkpoint_no AS no, checkpoint.session_no AS sessionNo, checkpoint.encoding,
  checkpoint.record AS bytes, checkpoint_end.state, checkpoint_end.ended_at AS endedAt, successor.checkpoint_id AS endedBy`;
const source = `checkpoint LEFT JOIN checkpoint_end USING (checkpoint_no)
  LEFT JOIN checkpoint AS successor ON successor.checkpoint_no = checkpoint_end.by_checkpoint_no`;

export const checkpointSql = {
  page: `SELECT ${columns} FROM ${source} WHERE checkpoint.session_no = ? AND checkpoint.checkpoint_no < ?
    ORDER BY checkpoint.checkpoint_no DESC LIMIT ?`,
  standing: `SELECT checkpoint.checkpoint_no AS no, checkpoint.checkpoint_id AS id
    FROM checkpoint LEFT JOIN checkpoint_end USING (checkpoint_no)
    WHERE checkpoint.session_no = ? AND checkpoint.epoch = ? AND checkpoint_end.state IS NULL`,
  byNo: `SELECT ${columns} FROM ${source} WHERE checkpoint.checkpoint_no = ?`,
  dissolved: `SELECT ${columns} FROM ${source} WHERE checkpoint.session_no = ? AND checkpoint.epoch = ?
    AND checkpoint_end.state = 'dissolved'`,
  newest: `SELECT ${columns} FROM ${source} WHERE checkpoint.session_no = ? AND checkpoint.epoch = ?
    ORDER BY checkpoint.checkpoint_no DESC LIMIT 1`,
  foldedInto: `SELECT ${columns} FROM ${source} WHERE checkpoint_end.by_checkpoint_no = ?
    AND checkpoint_end.state = 'folded'`,
  byId: `SELECT ${columns}, session.uid FROM ${source} JOIN session ON session.session_no = checkpoint.session_no
    WHERE checkpoint.checkpoint_id = ?`,
} as const;

/** Checkpoints that are held as they were read. */
const heldCheckpoints = 500;

/**
 * @param held each call of a session reads what stands in it, and records are never rewritten: by id, those that were
 * read already. Not for the writer, whose transactions may be taken back.
 */
export function checkpointReads(db: ReadConnection, held?: Map<string, CheckpointRow>) {
  const page = db.query<[number, number, number], Row>(checkpointSql.page);
  const standing = db.query<[number, number], { readonly no: number; readonly id: string }>(checkpointSql.standing);
  const byNo = db.query<[number], Row>(checkpointSql.byNo);
  const standingRow = ({ no, id }: { readonly no: number; readonly id: string }): CheckpointRow[] => {
    const known = held?.get(id);
    if (known) return [known];
    const row = byNo.get(no);
    if (!row) return [];
    const read = fromRow(row);
    held?.set(id, read);
    const oldest = held && held.size > heldCheckpoints ? held.keys().next().value : undefined;
    if (oldest !== undefined) held?.delete(oldest);
    return [read];
  };
  const dissolved = db.query<[number, number], Row>(checkpointSql.dissolved);
  const newest = db.query<[number, number], Row>(checkpointSql.newest);
  const foldedInto = db.query<[number], Row>(checkpointSql.foldedInto);
  const byId = db.query<[string], Row & { readonly uid: string }>(checkpointSql.byId);
  return {
    page: (sessionNo: number, before: number, limit: number): readonly CheckpointRow[] =>
      page.all(sessionNo, before, limit).map(fromRow),
    /** In the place of turns now, the one of the newest turns first. */
    standing: (sessionNo: number, epoch: number): readonly CheckpointRow[] =>
      standing
        .all(sessionNo, epoch)
        .flatMap(standingRow)
        .sort((a, b) => endOf(b) - endOf(a) || b.no - a.no),
    dissolved: (sessionNo: number, epoch: number): readonly CheckpointRow[] =>
      dissolved.all(sessionNo, epoch).map(fromRow),
    foldedInto: (no: number): readonly CheckpointRow[] => foldedInto.all(no).map(fromRow),
    newest(sessionNo: number, epoch: number): CheckpointRow | undefined {
      const row = newest.get(sessionNo, epoch);
      return row && fromRow(row);
    },
    find(checkpointId: string): (CheckpointRow & { readonly sessionUid: string }) | undefined {
      const row = byId.get(checkpointId);
      return row && { ...fromRow(row), sessionUid: row.uid };
    },
  };
}

export function checkpointWrites(db: WriteConnection) {
  const insert = db.command<[string, number, number, number, Uint8Array]>(
    'INSERT INTO checkpoint (checkpoint_id, session_no, epoch, encoding, record) VALUES (?, ?, ?, ?, ?)',
  );
  const end = db.command<[number, string, number, number | null]>(
    `INSERT INTO checkpoint_end (checkpoint_no, state, ended_at, by_checkpoint_no) VALUES (?, ?, ?, ?)
      ON CONFLICT (checkpoint_no) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
        by_checkpoint_no = excluded.by_checkpoint_no`,
  );
  const stand = db.command<[number]>('DELETE FROM checkpoint_end WHERE checkpoint_no = ?');
  return {
    ...checkpointReads(db),
    /** @returns its number */
    insert(sessionNo: number, checkpoint: CompactCheckpoint): number {
      const packed = packJson(checkpoint);
      return insert.run(checkpoint.checkpoint_id, sessionNo, checkpoint.epoch, packed.encoding, packed.bytes).rowid;
    },
    end(no: number, state: CheckpointEnd['state'], at: number, by: number | undefined): void {
      end.run(no, state, at, by ?? null);
    },
    /** It stands again. */
    stand: (no: number): void => void stand.run(no),
  };
}

function fromRow({ no, sessionNo, encoding, bytes, state, endedAt, endedBy }: Row): CheckpointRow {
  // Only `insert` above writes the record.
  const checkpoint = mendCheckpoint(unpackJson({ encoding, bytes }) as CompactCheckpoint);
  if (state === null) return { no, sessionNo, checkpoint, end: undefined };
  return { no, sessionNo, checkpoint, end: { state, at: mendTime(endedAt), by: endedBy ?? undefined } };
}

function endOf({ checkpoint }: CheckpointRow): number {
  return checkpoint.source_turn_range.end_sequence;
}

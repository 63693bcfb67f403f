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

const columns = `checkpoint.checkpoint_no AS no, checkpoint.session_no AS sessionNo,
  checkpoint.encoding, checkpoint.record AS bytes, checkpoint_end.state, checkpoint_end.ended_at AS endedAt, successor.checkpoint_id AS endedBy`;
const source = `checkpoint LEFT JOIN checkpoint_end USING (checkpoint_no)
  LEFT JOIN checkpoint AS successor ON successor.checkpoint_no = checkpoint_end.by_checkpoint_no`;

export const checkpointSql = {
  page: `SELECT ${columns} FROM ${source} WHERE checkpoint.session_no = ? AND checkpoint.checkpoint_no < ?
    ORDER BY checkpoint.checkpoint_no DESC LIMIT ?`,
  standing: `SELECT checkpoint.checkpoint_no AS no
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

/** Records that are held as they were read. */
const heldRecords = 500;

/**
 * Records that were read already, by number: unpacking one takes a millisecond, each call of a session and each
 * checkpoint that is added looks at all that stand, and records are never rewritten. Only what was committed is put here:
 * the number of one whose transaction was taken back is given again.
 */
export class HeldRecords {
  readonly #records = new Map<number, CompactCheckpoint>();

  get(no: number): CompactCheckpoint | undefined {
    return this.#records.get(no);
  }

  put(no: number, record: CompactCheckpoint): void {
    this.#records.set(no, record);
    // A Map keeps insertion order: the first is the one that was read longest ago.
    const oldest = this.#records.size > heldRecords ? this.#records.keys().next().value : undefined;
    if (oldest !== undefined) this.#records.delete(oldest);
  }
}

/**
 * @param held shared by reader and writer
 * @param sees what the connection reads is `committed`, or may be taken back: then nothing of it is held
 */
export function checkpointReads(db: ReadConnection, held: HeldRecords, sees: 'committed' | 'uncommitted') {
  const page = db.query<[number, number, number], Row>(checkpointSql.page);
  const standing = db.query<[number, number], { readonly no: number }>(checkpointSql.standing);
  const byNo = db.query<[number], Row>(checkpointSql.byNo);
  const fromRow = ({ no, sessionNo, encoding, bytes, state, endedAt, endedBy }: Row): CheckpointRow => {
    // Only `insert` below writes the record.
    const checkpoint = held.get(no) ?? mendCheckpoint(unpackJson({ encoding, bytes }) as CompactCheckpoint);
    if (sees === 'committed') held.put(no, checkpoint);
    if (state === null) return { no, sessionNo, checkpoint, end: undefined };
    return { no, sessionNo, checkpoint, end: { state, at: mendTime(endedAt), by: endedBy ?? undefined } };
  };
  const standingRow = (sessionNo: number, no: number): CheckpointRow[] => {
    const checkpoint = held.get(no);
    if (checkpoint) return [{ no, sessionNo, checkpoint, end: undefined }];
    const row = byNo.get(no);
    return row ? [fromRow(row)] : [];
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
        .flatMap(({ no }) => standingRow(sessionNo, no))
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

export function checkpointWrites(db: WriteConnection, held: HeldRecords) {
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
    ...checkpointReads(db, held, 'uncommitted'),
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

function endOf({ checkpoint }: CheckpointRow): number {
  return checkpoint.source_turn_range.end_sequence;
}

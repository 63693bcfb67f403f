import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { packJson, unpackJson } from '../content/pack-json.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface StoredCheckpoint {
  readonly no: number;
  readonly checkpoint: CompactCheckpoint;
}

interface Row {
  readonly no: number;
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

const columns = 'checkpoint_no AS no, encoding, record AS bytes';

export const checkpointSql = {
  page: `SELECT ${columns} FROM checkpoint WHERE session_no = ? AND checkpoint_no < ?
    ORDER BY checkpoint_no DESC LIMIT ?`,
  ofEpoch: `SELECT ${columns} FROM checkpoint WHERE session_no = ? AND epoch = ? ORDER BY checkpoint_no DESC`,
  byId: `SELECT ${columns}, uid FROM checkpoint JOIN session USING (session_no) WHERE checkpoint_id = ?`,
} as const;

export function checkpointReads(db: ReadConnection) {
  const page = db.query<[number, number, number], Row>(checkpointSql.page);
  const ofEpoch = db.query<[number, number], Row>(checkpointSql.ofEpoch);
  const byId = db.query<[string], Row & { readonly uid: string }>(checkpointSql.byId);
  return {
    page: (sessionNo: number, before: number, limit: number): readonly StoredCheckpoint[] =>
      page.all(sessionNo, before, limit).map(fromRow),
    ofEpoch: (sessionNo: number, epoch: number): readonly StoredCheckpoint[] =>
      ofEpoch.all(sessionNo, epoch).map(fromRow),
    find(checkpointId: string) {
      const row = byId.get(checkpointId);
      return row && { checkpoint: fromRow(row).checkpoint, sessionUid: row.uid };
    },
  };
}

export function checkpointWrites(db: WriteConnection) {
  const insert = db.command<[string, number, number, number, Uint8Array]>(
    'INSERT INTO checkpoint (checkpoint_id, session_no, epoch, encoding, record) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    ...checkpointReads(db),
    insert(sessionNo: number, checkpoint: CompactCheckpoint): void {
      const packed = packJson(checkpoint);
      insert.run(checkpoint.checkpoint_id, sessionNo, checkpoint.epoch, packed.encoding, packed.bytes);
    },
  };
}

function fromRow(row: Row): StoredCheckpoint {
  // Only `insert` above writes the record.
  return { no: row.no, checkpoint: unpackJson(row) as CompactCheckpoint };
}

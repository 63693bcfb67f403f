import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface Advancement {
  readonly payloadHash: string;
  /** Of all its turns, also those that were stored before it, in the host's order. */
  readonly sequences: readonly number[];
}

interface KeyedRow extends Row {
  readonly key: string;
}

interface Row {
  readonly payloadHash: string;
  readonly sequences: string;
}

export function advancementReads(db: ReadConnection) {
  const select = db.query<[number, string], Row>(
    `SELECT payload_hash AS payloadHash, sequences FROM advancement WHERE session_no = ? AND advancement_key = ?`,
  );
  const selectAll = db.query<[number], KeyedRow>(
    `SELECT advancement_key AS key, payload_hash AS payloadHash, sequences FROM advancement WHERE session_no = ?
      ORDER BY advancement_key`,
  );
  return {
    ofSession: (sessionNo: number): readonly (Advancement & { readonly key: string })[] =>
      selectAll.all(sessionNo).map((row) => ({ ...row, sequences: JSON.parse(row.sequences) as number[] })),
    find(sessionNo: number, key: string): Advancement | undefined {
      const row = select.get(sessionNo, key);
      // The list was written by `insert` below.
      return row && { payloadHash: row.payloadHash, sequences: JSON.parse(row.sequences) as number[] };
    },
  };
}

export function advancementWrites(db: WriteConnection) {
  const insert = db.command<[number, string, string, string, number]>(
    `INSERT INTO advancement (session_no, advancement_key, payload_hash, sequences, committed_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  return {
    ...advancementReads(db),
    insert: (sessionNo: number, key: string, { payloadHash, sequences }: Advancement, at: number): void =>
      void insert.run(sessionNo, key, payloadHash, JSON.stringify(sequences), at),
  };
}

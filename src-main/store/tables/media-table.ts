import { hash } from 'node:crypto';
import type { Base64Cut } from '../content/cut-base64.ts';
import { packBytes, unpackBytes } from '../content/pack-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

interface Row {
  readonly offset: number;
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

/** Decoded base64 payloads, each once, and the places in bodies that they were cut from. */
export function mediaReads(db: ReadConnection) {
  const select = db.query<[number], Row>(
    `SELECT text_offset AS offset, encoding, bytes FROM content_cut JOIN media USING (media_no)
     WHERE content_no = ? ORDER BY position`,
  );
  return {
    cutsOf: (contentNo: number): readonly Base64Cut[] =>
      select.all(contentNo).map((row) => ({ offset: row.offset, bytes: unpackBytes(row) })),
  };
}

export function mediaWrites(db: WriteConnection) {
  const find = db.query<[Uint8Array], { readonly no: number }>('SELECT media_no AS no FROM media WHERE media_hash = ?');
  const insert = db.command<[Uint8Array, number, Uint8Array]>(
    'INSERT INTO media (media_hash, encoding, bytes) VALUES (?, ?, ?)',
  );
  const insertCut = db.command<[number, number, number, number]>(
    'INSERT INTO content_cut (content_no, position, text_offset, media_no) VALUES (?, ?, ?, ?)',
  );
  const mediaOf = db.query<[number], { readonly no: number }>(
    'SELECT DISTINCT media_no AS no FROM content_cut WHERE content_no = ?',
  );
  const deleteCuts = db.command<[number]>('DELETE FROM content_cut WHERE content_no = ?');
  const deleteUnused = db.command<[number, number]>(
    'DELETE FROM media WHERE media_no = ? AND NOT EXISTS (SELECT 1 FROM content_cut WHERE media_no = ?)',
  );

  function store(bytes: Buffer): number {
    const digest = hash('sha256', bytes, 'buffer');
    const known = find.get(digest);
    if (known !== undefined) return known.no;
    const packed = packBytes(bytes);
    return insert.run(digest, packed.encoding, packed.bytes).rowid;
  }

  return {
    ...mediaReads(db),
    insertCuts(contentNo: number, cuts: readonly Base64Cut[]): void {
      for (const [position, cut] of cuts.entries()) insertCut.run(contentNo, position, cut.offset, store(cut.bytes));
    },
    /** Media that no other body names go too. */
    deleteCuts(contentNo: number): void {
      const candidates = mediaOf.all(contentNo);
      deleteCuts.run(contentNo);
      for (const { no } of candidates) deleteUnused.run(no, no);
    },
  };
}

import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs';
import type { ReadConnection } from '../sqlite/connection.ts';

/**
 * Whether a file is shorter than its own header says: cut off by a full disk, a copy that stopped, a sync service.
 * SQLite itself notices only when it comes to a page that is missing.
 */
export function isCutOff(file: string): boolean {
  const header = readHeader(file);
  if (header === undefined) return false;
  // Pages may still be in the WAL then.
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) return false;
  // SQLite's own rule: the size field counts only when the last writer kept it up (file format 1.3.7).
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return false;
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65_536 : stated;
  return header.readUInt32BE(28) * pageSize > statSync(file).size;
}

/** Reads the first entry of every table, which costs a few pages each. Throws what SQLite throws. */
export function probeTables(db: ReadConnection): void {
  const tables = db
    .query<[], { readonly name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all();
  for (const { name } of tables) {
    const table = `"${name.replaceAll('"', '""')}"`;
    db.query(`SELECT 1 FROM ${table} LIMIT 1`).get();
  }
}

/** What SQLite's quick check finds; empty when the file is sound. Reads the whole file. */
export function quickCheck(db: ReadConnection): readonly string[] {
  const rows = db.query<[], { readonly quick_check: string }>('PRAGMA quick_check(20)').all();
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
}

function readHeader(file: string): Buffer | undefined {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, header, 0, 100, 0) === 100 && header.toString('latin1', 0, 15) === 'SQLite format 3'
      ? header
      : undefined;
  } finally {
    closeSync(handle);
  }
}

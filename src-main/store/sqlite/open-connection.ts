import Database from 'better-sqlite3';
import { applyPragmas } from './apply-pragmas.ts';
import { SqliteConnection, type ReadConnection, type WriteConnection } from './connection.ts';

/** The one connection that writes. `busyTimeoutMs`: how long it waits for another program's lock. */
export function openWriter(file: string, busyTimeoutMs: number): WriteConnection {
  return opened(new Database(file, { timeout: busyTimeoutMs }), (db) => applyPragmas(db, 'writer'));
}

/** A connection that SQLite itself keeps from writing. The file must exist. */
export function openReader(file: string, busyTimeoutMs: number): ReadConnection {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  return opened(db, (connection) => applyPragmas(connection, 'reader'));
}

/** Makes a copied database one plain file again, which opens without -wal and -shm beside it. */
export function leaveWal(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Never leaks the handle of a file that turned out to be unusable. */
function opened(db: Database.Database, prepare: (connection: SqliteConnection) => void): SqliteConnection {
  const connection = new SqliteConnection(db);
  try {
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

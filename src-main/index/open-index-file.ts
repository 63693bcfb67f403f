import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { indexApplicationId, indexSchemaVersion, indexTables, indexViews } from './index-schema.ts';

export interface OpenIndexFile {
  readonly db: Database.Database;
  /** Why the file was made anew, in one sentence; empty when it was not, or when there was none. */
  readonly note: string;
}

/**
 * Opens an index, or makes one. A file of another schema is made anew and keeps its counts of use; one that is damaged is
 * set aside. Everything else in it comes from the files of the workspace and from the log, so nothing is lost.
 * @param now milliseconds since the epoch; names what is set aside
 * @throws EngineError `store_failed` when the file is not an index of ours, or is held by another program
 */
export function openIndexFile(file: string, now: number): OpenIndexFile {
  try {
    return openSound(file);
  } catch (error) {
    const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR';
    if (!isDamage(error) && !isFolder) throw failed(file, error);
    const aside = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
    for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
    const uses = rescueUses(aside);
    const { db } = openSound(file);
    insertUses(db, uses ?? []);
    const lost = uses ? '' : ' Counts of use could not be read from it: what was often used comes first no more.';
    return {
      db,
      note: `The index was damaged (${said(error)}); it is built anew, and the old file is kept as ${aside}.${lost}`,
    };
  }
}

function openSound(file: string): OpenIndexFile {
  const db = connect(file);
  try {
    const version = versionOf(db);
    if (version === indexSchemaVersion) {
      probe(db);
      db.exec(indexViews);
      return { db, note: '' };
    }
    if (version === undefined) {
      createTables(db, []);
      return { db, note: '' };
    }
    const uses = usesOf(db);
    db.close();
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    const fresh = connect(file);
    createTables(fresh, uses);
    const note = `The index had schema ${version}, this version needs ${indexSchemaVersion}; it is built anew.`;
    return { db: fresh, note };
  } catch (error) {
    if (db.open) db.close();
    throw error;
  }
}

/**
 * `synchronous` NORMAL: a power cut may take back the last transactions, and the outbox and the watermarks, which are
 * written later or are part of them, bring them again. Other settings are those of strata.db.
 */
function connect(file: string): Database.Database {
  keepPrivate(file);
  const db = new Database(file, { timeout: 5_000 });
  try {
    for (const pragma of pragmas) db.pragma(pragma);
    loadVectorFunctions(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** For its owner only: the log and the shared memory take the mode of the database. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) chmodSync(file + end, 0o600);
}

const pragmas = [
  'journal_mode = wal',
  'synchronous = 1',
  'foreign_keys = 0',
  'trusted_schema = 0',
  'cell_size_check = 1',
  'temp_store = 2',
  'cache_size = -32768',
  'journal_size_limit = 16777216',
  // What is forgotten is overwritten, also in pages that are free: a hard delete has nothing to look for.
  'secure_delete = 1',
];

/** Undefined of a new file. */
function versionOf(db: Database.Database): number | undefined {
  const id = db.pragma('application_id', { simple: true });
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  if (tables === 0) return undefined;
  if (id === indexApplicationId) return version;
  throw new EngineError('store_failed', 'it is a database of another program; move it away, then start again');
}

function createTables(db: Database.Database, uses: readonly unknown[][]): void {
  db.transaction(() => {
    db.exec(indexTables);
    insertUses(db, uses);
    db.pragma(`application_id = ${indexApplicationId}`);
    db.pragma(`user_version = ${indexSchemaVersion}`);
  }).immediate();
  db.exec(indexViews);
}

/** Counts of use are the only thing here that cannot be made again. */
function usesOf(db: Database.Database): unknown[][] {
  const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'uses'").get() !== undefined;
  return has ? db.prepare<[], unknown[]>('SELECT uri, count, last FROM uses').raw().all() : [];
}

function insertUses(db: Database.Database, uses: readonly unknown[][]): void {
  const insert = db.prepare('INSERT OR REPLACE INTO uses VALUES (?, ?, ?)');
  db.transaction(() => {
    for (const use of uses) insert.run(...use);
  })();
}

/** From a damaged file: their own pages are whole in most. Undefined where they are not. */
function rescueUses(file: string): unknown[][] | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true });
    // SQLite reads nothing of a file that is shorter than its head says, unless it is to be mended.
    db.unsafeMode(true);
    db.pragma('writable_schema = 1');
    return usesOf(db);
  } catch {
    // The file is kept, and the note says that its counts are lost.
    return undefined;
  } finally {
    db?.close();
  }
}

/** Damage shows early: at the first page of each table, rather than in the midst of a search. */
function probe(db: Database.Database): void {
  for (const table of [
    'meta',
    'owners',
    'rows',
    'texts',
    'words',
    'stems',
    'names',
    'links',
    'vectors',
    'marks',
    'uses',
  ]) {
    db.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
  }
  for (const table of ['page_text', 'turn_text']) db.prepare(`SELECT rowid FROM ${table} LIMIT 1`).get();
}

export function isDamage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_NOTADB' ||
      error.code.startsWith('SQLITE_CORRUPT') ||
      // A table that the version says is there.
      (error.code === 'SQLITE_ERROR' && error.message.startsWith('no such table')))
  );
}

function failed(file: string, error: unknown): EngineError {
  return new EngineError('store_failed', `The index ${file} could not be opened: ${said(error)}.`, { cause: error });
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

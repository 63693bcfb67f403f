import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { fileFailure } from '../../settings/file-failure.ts';
import { isBusy } from '../sqlite/to-store-error.ts';
import { ensurePrivateFile } from './ensure-data-dir.ts';

/**
 * One process owns a data directory. The lock is an open exclusive transaction on `lock.db`: the system lets go of it
 * when the process ends, however it ends. Nothing else may open that file in this process: closing any handle of it
 * would let go of the lock too (POSIX).
 */
export class DataDirLock {
  readonly #db: Database.Database;

  private constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @throws EngineError `data_dir_owned` or `data_dir_blocked` */
  static take(dataDir: string): DataDirLock {
    const path = join(dataDir, 'lock.db');
    ensurePrivateFile(path);
    let db: Database.Database | undefined;
    try {
      db = new Database(path, { timeout: 0 });
      // The transaction writes nothing; without this it would leave an empty journal file behind.
      db.pragma('journal_mode = OFF');
      db.exec('BEGIN EXCLUSIVE');
      return new DataDirLock(db);
    } catch (error) {
      db?.close();
      if (isBusy(error)) throw owned(dataDir, error);
      throw fileFailure(error, path, 'Remove lock.db while no Strata runs, or name another directory in STRATA_HOME');
    }
  }

  release(): void {
    this.#db.close();
  }
}

function owned(dataDir: string, cause: unknown): EngineError {
  const owner = readOwner(dataDir);
  const who = owner.pid === undefined ? '' : ` (process ${owner.pid}${owner.url ? ` at ${owner.url}` : ''})`;
  return new EngineError(
    'data_dir_owned',
    `Another Strata${who} owns the data directory ${dataDir}. ` +
      'Use that one, stop it first, or name another directory in STRATA_HOME.',
    { details: { data_dir: dataDir, ...owner }, cause },
  );
}

/** What endpoint.json says of the owner; nothing when it is missing or half written. */
function readOwner(dataDir: string): { readonly pid?: number; readonly url?: string } {
  try {
    const found: unknown = JSON.parse(readFileSync(join(dataDir, 'endpoint.json'), 'utf8'));
    if (typeof found !== 'object' || found === null) return {};
    return {
      ...('pid' in found && typeof found.pid === 'number' ? { pid: found.pid } : {}),
      ...('url' in found && typeof found.url === 'string' ? { url: found.url } : {}),
    };
  } catch {
    // The owner is still starting, or runs without an endpoint: then the message names nobody.
    return {};
  }
}

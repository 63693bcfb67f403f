import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { ensurePrivateFile } from './data-dir/ensure-data-dir.ts';
import { migrate } from './migrations/migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { readSchema } from './migrations/read-schema.ts';
import type { Backups } from './recovery/backups.ts';
import { isCutOff, probeTables, quickCheck } from './recovery/inspect-database.ts';
import { recoverDatabase, type RecoveryNote } from './recovery/recover-database.ts';
import { verifyPragmas } from './sqlite/apply-pragmas.ts';
import type { ReadConnection, WriteConnection } from './sqlite/connection.ts';
import { openReader, openWriter } from './sqlite/open-connection.ts';
import { isBusy, isCorruption } from './sqlite/to-store-error.ts';
import { metaWrites } from './tables/meta-table.ts';

export interface DatabaseOptions {
  readonly file: string;
  readonly backups: Backups;
  readonly migrations: readonly Migration[];
  readonly busyTimeoutMs: number;
  readonly now: () => number;
}

export interface OpenDatabase {
  readonly writer: WriteConnection;
  readonly reader: ReadConnection;
  readonly wasUnclean: boolean;
  readonly recovery: RecoveryNote | undefined;
}

/**
 * Opens a database that is sound, ours and of the newest schema; a damaged one is set aside first.
 * The caller owns the data directory.
 * @throws EngineError, or what SQLite threw
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  try {
    return openSound(options, undefined);
  } catch (error) {
    if (!isCorruption(error) && !(error instanceof EngineError && error.code === 'store_corrupt')) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const { file, backups, migrations, now } = options;
    const recovery = recoverDatabase(file, backups, migrations.length, reason, now());
    rmSync(suspectMark(file), { force: true });
    return openSound(options, recovery);
  }
}

/** Has the whole file checked at the next start: SQLite came upon a damaged page while the store was open. */
export function markSuspect(file: string, reason: string): void {
  writeFileSync(suspectMark(file), `${reason}\n`, { mode: 0o600 });
}

function suspectMark(file: string): string {
  return `${file}.suspect`;
}

function openSound(options: DatabaseOptions, recovery: RecoveryNote | undefined): OpenDatabase {
  const { file, busyTimeoutMs } = options;
  ensurePrivateFile(file);
  assertSound(options);
  let writer: WriteConnection | undefined;
  try {
    writer = openWriter(file, busyTimeoutMs);
    const wasUnclean = prepareWriter(writer, options, recovery);
    return { writer, reader: openReader(file, busyTimeoutMs), wasUnclean, recovery };
  } catch (error) {
    writer?.close();
    if (isBusy(error)) throw locked(error);
    throw error;
  }
}

/** Reads only, so that a file that is not ours to change stays as it is. */
function assertSound({ file, backups, migrations, busyTimeoutMs }: DatabaseOptions): void {
  if (isCutOff(file)) throw damaged('the file is shorter than its header says');
  if (statSync(file).size === 0 && backups.list().length > 0) throw damaged('the file is empty');
  const db = openReader(file, busyTimeoutMs);
  try {
    readSchema(db, migrations.length);
    probeTables(db);
    if (!existsSync(suspectMark(file))) return;
    const [problem] = quickCheck(db);
    if (problem !== undefined) throw damaged(problem);
    rmSync(suspectMark(file), { force: true });
  } finally {
    db.close();
  }
}

/** True when the process before this one did not close the database. */
function prepareWriter(writer: WriteConnection, options: DatabaseOptions, recovery: RecoveryNote | undefined): boolean {
  migrate(writer, options.migrations, (fromVersion) => {
    const backup = options.backups.begin(fromVersion, options.now());
    writer.command<[string]>('VACUUM INTO ?').run(backup.temporary);
    backup.commit();
  });
  const meta = metaWrites(writer);
  const wasUnclean = meta.get('clean_shutdown') === '0';
  writer.transaction(() => {
    meta.set('clean_shutdown', '0');
    if (recovery !== undefined) meta.set('last_recovery', JSON.stringify(recovery));
  });
  verifyPragmas(writer, 'writer');
  return wasUnclean && recovery === undefined;
}

function damaged(reason: string): EngineError {
  return new EngineError('store_corrupt', reason);
}

function locked(cause: unknown): EngineError {
  return new EngineError(
    'data_dir_owned',
    'Another program holds strata.db locked. Close it (a database browser, a backup tool, an older Strata), ' +
      'then start again.',
    { cause },
  );
}

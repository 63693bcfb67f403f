import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileFailure } from '../../settings/file-failure.ts';
import { readSchema } from '../migrations/read-schema.ts';
import { openReader } from '../sqlite/open-connection.ts';
import type { Backups } from './backups.ts';
import { isCutOff, quickCheck } from './inspect-database.ts';
import { syncPath } from './sync-path.ts';

/** What was done about a damaged database. */
export interface RecoveryNote {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** What SQLite said. */
  readonly reason: string;
  /** Where the damaged file is now. */
  readonly setAside: string;
  /** The backup that took its place; without one the store began anew. */
  readonly restoredFrom: string | undefined;
  /** All of this in one or two sentences, for people. */
  readonly message: string;
}

/**
 * Sets a damaged database aside, never deletes it, and puts the newest sound backup in its place if there is one.
 * Nothing may have the file open.
 * @throws EngineError `data_dir_blocked` or `disk_full`
 */
export function recoverDatabase(
  file: string,
  backups: Backups,
  knownVersion: number,
  reason: string,
  at: number,
): RecoveryNote {
  try {
    const setAside = moveAside(file, at);
    const restoredFrom = backups.list().find((backup) => isSound(backup, knownVersion));
    if (restoredFrom !== undefined) restore(restoredFrom, file);
    const outcome =
      restoredFrom === undefined
        ? 'There was no sound backup, so the store began anew'
        : `The backup ${basename(restoredFrom)} took its place; what was stored after it is missing`;
    const message = `strata.db was damaged (${reason}) and is kept as ${basename(setAside)}. ${outcome}.`;
    return { at, reason, setAside, restoredFrom, message };
  } catch (error) {
    throw fileFailure(
      error,
      file,
      'It is damaged and could not be set aside: make the data directory writable for you',
    );
  }
}

/** With its WAL, which may hold the newest commits and fits no other file. */
function moveAside(file: string, at: number): string {
  const stem = `${file}.corrupt-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}`;
  let target = stem;
  for (let attempt = 1; existsSync(target); attempt += 1) target = `${stem}-${attempt}`;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  syncPath(dirname(file), 'directory');
  return target;
}

function isSound(backup: string, knownVersion: number): boolean {
  try {
    if (isCutOff(backup)) return false;
    const db = openReader(backup, 0);
    try {
      return !readSchema(db, knownVersion).isNew && quickCheck(db).length === 0;
    } finally {
      db.close();
    }
  } catch {
    // Unreadable, of another program, or from the future: the next older one is tried.
    return false;
  }
}

function restore(backup: string, file: string): void {
  const temporary = join(dirname(file), `${basename(file)}.restoring`);
  rmSync(temporary, { force: true });
  copyFileSync(backup, temporary);
  syncPath(temporary, 'file');
  renameSync(temporary, file);
  syncPath(dirname(file), 'directory');
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { fileFailure } from '../../settings/file-failure.ts';

/**
 * Makes a directory that only its owner may read (0700) where there is none.
 * @throws EngineError `data_dir_blocked` or `disk_full`
 */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileFailure(error, dataDir, 'Name another directory in STRATA_HOME, or make this one writable for you');
  }
}

/** SQLite gives the -wal and -shm files the mode of the main file, so that one is made first. */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw fileFailure(error, path, 'Make the data directory writable for you');
  }
}

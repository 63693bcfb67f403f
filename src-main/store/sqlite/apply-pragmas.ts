import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { ReadConnection } from './connection.ts';

type Settings = Readonly<Record<string, number | string>>;

const safety: Settings = { foreign_keys: 1, trusted_schema: 0, cell_size_check: 1, temp_store: 2 };

/** `synchronous` 2 is FULL: a commit that was answered survives a power cut. Negative cache sizes are KiB. */
const writer: Settings = {
  journal_mode: 'wal',
  synchronous: 2,
  ...safety,
  cache_size: -16_384,
  // Without a limit the WAL keeps the size of the largest import for ever.
  journal_size_limit: 16_777_216,
};

// Reads go without mmap: it was no faster here, and a file that shrinks under a mapping kills the process.
const reader: Settings = { ...safety, cache_size: -16_384, query_only: 1 };

/** Sets what the connection needs and reads it back. @throws EngineError `store_failed` when a value did not take. */
export function applyPragmas(db: ReadConnection, kind: 'writer' | 'reader'): void {
  const settings = kind === 'writer' ? writer : reader;
  for (const [name, value] of Object.entries(settings)) db.pragma(`${name} = ${value}`);
  verifyPragmas(db, kind);
}

/**
 * Reads the settings back. The writer needs this again after its first write: SQLite lowers `synchronous` to NORMAL
 * there when it was left at its default.
 */
export function verifyPragmas(db: ReadConnection, kind: 'writer' | 'reader'): void {
  for (const [name, expected] of Object.entries(kind === 'writer' ? writer : reader)) {
    const actual = db.pragma(name);
    if (actual !== expected) {
      throw new EngineError(
        'store_failed',
        `Expected PRAGMA ${name} = ${expected} on strata.db, SQLite says ${String(actual)}. ` +
          'Is the data directory on a network or special file system? Choose a local one with STRATA_HOME.',
        { details: { pragma: name, expected, actual } },
      );
    }
  }
}

import Database from 'better-sqlite3';
import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** Whether SQLite found the file itself damaged. */
export function isCorruption(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  );
}

/** Whether another connection held a lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** Makes what SQLite or our own code threw into `disk_full`, `store_corrupt` or `store_failed`. */
export function toStoreError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (isCorruption(error)) {
    return new EngineError(
      'store_corrupt',
      `strata.db is damaged (${said(error)}). Nothing more is written to it. Stop Strata, copy the data directory, ` +
        'and start again: the damaged file is set aside and the newest sound backup restored.',
      { cause: error },
    );
  }
  if (isBusy(error)) {
    return new EngineError(
      'store_failed',
      `Another program holds strata.db locked (${said(error)}). Nothing was stored: close that program and try again.`,
      { cause: error },
    );
  }
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') {
    return new EngineError(
      'disk_full',
      'No space is left for strata.db. Nothing was stored: free some space and try again. Reading still works.',
      { cause: error },
    );
  }
  return new EngineError('store_failed', `The store could not do this (${said(error)}). Nothing was changed.`, {
    cause: error,
  });
}

function said(error: unknown): string {
  if (error instanceof Database.SqliteError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

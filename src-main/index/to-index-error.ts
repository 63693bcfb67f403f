import Database from 'better-sqlite3';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { isDamage } from './open-index-file.ts';

/** What went wrong with the index; nothing that matters is lost with it. */
export function toIndexError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const said = error instanceof Error ? error.message : String(error);
  if (isDamage(error)) {
    return new EngineError(
      'store_corrupt',
      `The index of memory is damaged (${said}). Restart Strata: it is set aside and built anew from the files and the log.`,
      { cause: error },
    );
  }
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') {
    return new EngineError(
      'disk_full',
      'No space is left for the index of memory. Free some space; it then goes on by itself.',
      {
        cause: error,
      },
    );
  }
  return new EngineError('store_failed', `The index of memory could not do this (${said}).`, { cause: error });
}

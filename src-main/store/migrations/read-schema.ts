import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { applicationId } from '../sqlite/application-id.ts';
import type { ReadConnection } from '../sqlite/connection.ts';

export interface SchemaState {
  /** `PRAGMA user_version`; 0 when the database is new. */
  readonly version: number;
  readonly isNew: boolean;
}

/**
 * Whether we may work with this database. Only reads, so that a file that is refused stays as it is.
 * @param known newest schema version that this program knows
 * @throws EngineError `store_from_future` or `data_dir_blocked` (a file of another program)
 */
export function readSchema(db: ReadConnection, known: number): SchemaState {
  const id = Number(db.pragma('application_id'));
  const version = Number(db.pragma('user_version'));
  if (id === applicationId) {
    if (version > known) throw fromFuture(version, known);
    return { version, isNew: false };
  }
  const tables = db.query<[], { readonly count: number }>('SELECT count(*) AS count FROM sqlite_schema').get()?.count;
  if (id === 0 && version === 0 && tables === 0) return { version, isNew: true };
  throw new EngineError(
    'data_dir_blocked',
    `strata.db belongs to another program (application id ${id}, expected ${applicationId}). ` +
      'It was left as it is: move it away, or name another data directory in STRATA_HOME.',
    { details: { application_id: id } },
  );
}

function fromFuture(version: number, known: number): EngineError {
  return new EngineError(
    'store_from_future',
    `strata.db has schema version ${version}; this Strata knows versions up to ${known}. ` +
      'It was left as it is: start the newer Strata that wrote it, or restore a file from backups/.',
    { details: { version, known } },
  );
}

import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { applicationId } from '../sqlite/application-id.ts';
import type { WriteConnection } from '../sqlite/connection.ts';
import type { Migration } from './migration.ts';
import { readSchema } from './read-schema.ts';

/**
 * Brings the schema to the newest step, wholly or not at all.
 * @param backUp called before anything changes, unless the database is new
 * @throws EngineError `store_from_future`, `data_dir_blocked` or `store_failed`; nothing is changed then
 */
export function migrate(db: WriteConnection, steps: readonly Migration[], backUp: (fromVersion: number) => void): void {
  assertMonotonic(steps);
  const { version, isNew } = readSchema(db, steps.length);
  if (version === steps.length) return;
  if (!isNew) backUp(version);
  // A step that rebuilds a table drops the old one; foreign keys would take that for deletes. Checked before commit.
  db.pragma('foreign_keys = OFF');
  try {
    db.transaction(() => {
      for (const step of steps.slice(version)) step.up(db);
      assertForeignKeys(db);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${steps.length}`);
    });
  } finally {
    db.pragma('foreign_keys = ON');
  }
  db.pragma('optimize');
}

function assertMonotonic(steps: readonly Migration[]): void {
  for (const [index, step] of steps.entries()) {
    if (step.version !== index + 1) {
      throw new EngineError(
        'internal',
        `Expected migration ${index + 1} at this place of the list, got ${step.version} (${step.name}).`,
      );
    }
  }
}

function assertForeignKeys(db: WriteConnection): void {
  const broken = db.query<[], { readonly table: string; readonly parent: string }>('PRAGMA foreign_key_check').all();
  const first = broken[0];
  if (first !== undefined) {
    throw new EngineError(
      'store_failed',
      `A migration would leave ${broken.length} rows without what they point to (first: ${first.table} → ` +
        `${first.parent}). Nothing was changed; please report this with the output of "npm run strata -- doctor".`,
    );
  }
}

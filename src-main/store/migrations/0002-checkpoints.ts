import type { Migration } from './migration.ts';

/** One row per compaction; `record` is the checkpoint as JSON, packed as contents are. */
export const checkpointsMigration: Migration = {
  version: 2,
  name: 'checkpoints',
  up(db) {
    db.script(`
      CREATE TABLE checkpoint (
        checkpoint_no INTEGER PRIMARY KEY,
        checkpoint_id TEXT NOT NULL UNIQUE,
        session_no INTEGER NOT NULL REFERENCES session,
        epoch INTEGER NOT NULL,
        encoding INTEGER NOT NULL,
        record BLOB NOT NULL
      ) STRICT;
      CREATE INDEX checkpoint_by_session ON checkpoint (session_no);
      CREATE INDEX checkpoint_by_epoch ON checkpoint (session_no, epoch);

      CREATE TRIGGER checkpoint_is_immutable BEFORE UPDATE ON checkpoint
      BEGIN SELECT RAISE(ABORT, 'checkpoints are never rewritten'); END;
      CREATE TRIGGER checkpoint_stays BEFORE DELETE ON checkpoint
      BEGIN SELECT RAISE(ABORT, 'checkpoints are never deleted'); END;
    `);
  },
};

import type { Migration } from './migration.ts';

/** Checkpoints are never rewritten; that one stands no longer is a row beside it, which can be taken back. */
export const checkpointEndsMigration: Migration = {
  version: 5,
  name: 'checkpoint-ends',
  up(db) {
    db.script(`
      CREATE TABLE checkpoint_end (
        checkpoint_no INTEGER PRIMARY KEY REFERENCES checkpoint,
        state TEXT NOT NULL CHECK (state IN ('folded', 'replaced', 'dissolved')),
        ended_at INTEGER NOT NULL,
        by_checkpoint_no INTEGER REFERENCES checkpoint
      ) STRICT;
      CREATE INDEX checkpoint_end_by ON checkpoint_end (by_checkpoint_no);
      CREATE INDEX session_by_parent ON session (user_id, parent_session_key) WHERE parent_session_key IS NOT NULL;
    `);
  },
};

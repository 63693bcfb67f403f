import type { Migration } from './migration.ts';

/** Standing memory as sessions have it in their system prompt, and what sub-agents were granted. */
export const standingMemoryMigration: Migration = {
  version: 11,
  name: 'standing-memory',
  up(db) {
    db.script(`
      -- One per session: the one of an earlier epoch is of no use any more.
      CREATE TABLE standing_snapshot (
        session_uid TEXT NOT NULL PRIMARY KEY,
        epoch INTEGER NOT NULL,
        taken_at INTEGER NOT NULL,
        basis TEXT NOT NULL,
        -- JSON: the parts as they are sent.
        parts TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- A child has no session of its own before its first turn, so it is named by its key.
      CREATE TABLE subagent_grant (
        user_id TEXT NOT NULL,
        child_key TEXT NOT NULL,
        parent_key TEXT NOT NULL,
        -- NULL: what the configuration says.
        access TEXT CHECK (access IN ('all', 'shared', 'none')),
        granted_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, child_key)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

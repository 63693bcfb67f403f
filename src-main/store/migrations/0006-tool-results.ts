import type { Migration } from './migration.ts';

/**
 * Large tool results that are stored whole outside the log, and whose they are. The content itself is a row of
 * `content`, held for ever: the turn in the log has nothing but a synopsis that names its hash.
 */
export const toolResultsMigration: Migration = {
  version: 6,
  name: 'tool results',
  up(db) {
    db.script(`
      -- The same content may belong to several calls, and to several users.
      CREATE TABLE tool_result (
        tool_result_no INTEGER PRIMARY KEY,
        content_hash BLOB NOT NULL,
        user_id TEXT NOT NULL,
        session_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        tool_call_id TEXT NOT NULL,
        tool_name TEXT NOT NULL,
        stored_at REAL NOT NULL,
        UNIQUE (content_hash, user_id, session_key, session_id, tool_call_id)
      ) STRICT;

      CREATE TRIGGER tool_result_is_immutable BEFORE UPDATE ON tool_result
      BEGIN SELECT RAISE(ABORT, 'tool results are never rewritten'); END;
      CREATE TRIGGER tool_result_stays BEFORE DELETE ON tool_result
      BEGIN SELECT RAISE(ABORT, 'tool results are never deleted'); END;
    `);
  },
};

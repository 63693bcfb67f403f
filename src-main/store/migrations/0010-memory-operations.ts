import type { Migration } from './migration.ts';

/** What was judged about memory, and which turns were read for it. */
export const memoryOperationsMigration: Migration = {
  version: 10,
  name: 'memory-operations',
  up(db) {
    db.script(`
      CREATE TABLE memory_operation (
        operation_no INTEGER PRIMARY KEY,
        operation_id TEXT NOT NULL UNIQUE,
        session_uid TEXT,
        uri TEXT,
        supersedes TEXT,
        action TEXT NOT NULL,
        -- The operation, and what it did to pages, as JSON.
        record TEXT NOT NULL,
        changes TEXT NOT NULL,
        undone_at TEXT
      ) STRICT;
      CREATE INDEX memory_operation_by_uri ON memory_operation (uri, operation_no);
      CREATE INDEX memory_operation_by_supersedes ON memory_operation (supersedes, operation_no);
      CREATE INDEX memory_operation_by_session ON memory_operation (session_uid, operation_no);

      -- Hashes of words in turns that were judged: they are not judged again, whatever becomes of the operation's text.
      CREATE TABLE memory_judged (
        key TEXT NOT NULL PRIMARY KEY,
        operation_id TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- Ranges of turns that were read for memories, without overlaps.
      CREATE TABLE memory_read (
        session_uid TEXT NOT NULL,
        start_sequence INTEGER NOT NULL,
        end_sequence INTEGER NOT NULL,
        read_at INTEGER NOT NULL,
        PRIMARY KEY (session_uid, start_sequence)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

import type { Migration } from './migration.ts';

/** What the index of memory has yet to take in. A row is written in the transaction of what it announces. */
export const memoryOutboxMigration: Migration = {
  version: 8,
  name: 'memory-outbox',
  up(db) {
    db.script(`
      CREATE TABLE memory_outbox (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        uri TEXT NOT NULL,
        op TEXT NOT NULL CHECK (op IN ('put', 'remove')),
        enqueued_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        -- Not tried before this time.
        next_at INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        -- Tried too often: it waits for a person.
        dead INTEGER NOT NULL DEFAULT 0 CHECK (dead IN (0, 1))
      ) STRICT;
      CREATE INDEX memory_outbox_uri ON memory_outbox (uri);
      CREATE INDEX memory_outbox_due ON memory_outbox (dead, next_at, seq);
    `);
  },
};

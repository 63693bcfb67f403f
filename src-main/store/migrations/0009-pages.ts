import type { Migration } from './migration.ts';

/**
 * Memory pages: what is known of each file, and every version of it. Contents are stored once by their hash, in a table
 * of their own: unlike what turns hold they may be removed, when a person wants a page forgotten for good.
 */
export const pagesMigration: Migration = {
  version: 9,
  name: 'pages',
  up(db) {
    db.script(`
      CREATE TABLE page (
        page_no INTEGER PRIMARY KEY,
        uri TEXT NOT NULL,
        path TEXT NOT NULL,
        version INTEGER NOT NULL CHECK (version > 0),
        content_hash BLOB NOT NULL,
        size INTEGER NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        -- The file was not there any more when it was looked for.
        gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        user_id TEXT,
        agent_id TEXT,
        -- JSON, see PageSummary
        summary TEXT NOT NULL
      ) STRICT;
      -- A page that is gone or moved away leaves its address to another.
      CREATE UNIQUE INDEX page_by_uri ON page (uri);
      CREATE INDEX page_by_path ON page (gone, path);

      -- Addresses that a page had before.
      CREATE TABLE page_address (
        uri TEXT NOT NULL,
        page_no INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
        until REAL NOT NULL,
        PRIMARY KEY (uri, page_no)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX page_address_by_page ON page_address (page_no);

      -- encoding: 1 = zstd (see pack-bytes.ts)
      CREATE TABLE page_content (
        content_hash BLOB PRIMARY KEY,
        encoding INTEGER NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;
      CREATE TRIGGER page_content_is_immutable BEFORE UPDATE ON page_content
      BEGIN SELECT RAISE(ABORT, 'contents of pages are never rewritten'); END;

      CREATE TABLE page_version (
        page_no INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
        version INTEGER NOT NULL,
        uri TEXT NOT NULL,
        content_hash BLOB NOT NULL,
        size INTEGER NOT NULL,
        at REAL NOT NULL,
        author TEXT NOT NULL,
        reason TEXT,
        change TEXT NOT NULL CHECK (change IN ('created', 'changed', 'renamed', 'restored', 'deleted')),
        PRIMARY KEY (page_no, version)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX page_version_by_content ON page_version (content_hash);
      CREATE TRIGGER page_version_is_immutable BEFORE UPDATE ON page_version
      BEGIN SELECT RAISE(ABORT, 'versions of pages are never rewritten'); END;

      -- A write that began. Left over: the process ended between the file and its version.
      CREATE TABLE page_intent (
        intent_no INTEGER PRIMARY KEY,
        content_hash BLOB NOT NULL,
        before_hash BLOB,
        -- JSON of the version to come
        version TEXT NOT NULL
      ) STRICT;
      CREATE INDEX page_intent_by_content ON page_intent (content_hash);
    `);
  },
};

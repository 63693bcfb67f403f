import type { Migration } from './migration.ts';

/**
 * What stands for large tool results of older turns in a context, so that it need not be made again after a restart. It can
 * always be made again: its text is a loose content, which may be pruned.
 */
export const standInsMigration: Migration = {
  version: 7,
  name: 'stand-ins',
  up(db) {
    db.script(`
      CREATE TABLE stand_in (
        -- SHA-256 of what it depends on: the result, its address, the form, and how synopses are made.
        key BLOB NOT NULL PRIMARY KEY,
        -- NULL: the result stays as it is.
        content_hash BLOB,
        tokens INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

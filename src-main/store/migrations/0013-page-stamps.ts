import type { Migration } from './migration.ts';

/** What a page's file looked like when it was read, so that a start need not read files that are still the same. */
export const pageStampsMigration: Migration = {
  version: 13,
  name: 'page-stamps',
  up(db) {
    db.script(`
      -- NULL: the file is to be read. See WorkspaceFile.stamp, and the rules its summary was made by.
      ALTER TABLE page ADD COLUMN file_stamp TEXT;
    `);
  },
};

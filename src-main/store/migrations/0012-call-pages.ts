import type { Migration } from './migration.ts';

/** Which memory pages a call had, and what became of them. It can be made again from the traces. */
export const callPagesMigration: Migration = {
  version: 12,
  name: 'call-pages',
  up(db) {
    db.script(`
      -- One per page and call: where a call had a page twice, the one that was sent.
      CREATE TABLE call_page (
        uri TEXT NOT NULL,
        call_no INTEGER NOT NULL REFERENCES call,
        item TEXT NOT NULL,
        how TEXT NOT NULL CHECK (how IN ('standing', 'recalled')),
        action TEXT NOT NULL CHECK (action IN ('included', 'trimmed', 'dropped')),
        reason TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        -- Pages that these tokens are of.
        shared_by INTEGER NOT NULL,
        score REAL,
        threshold REAL,
        PRIMARY KEY (uri, call_no)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX call_page_by_call ON call_page (call_no);

      -- Calls up to this one were recorded before, and a job has yet to look through them.
      INSERT INTO meta (name, value) SELECT 'calls_without_pages', coalesce(max(call_no), 0) FROM call;
    `);
  },
};

import type { Migration } from './migration.ts';

/** Assemble calls: what a list of them shows as columns, the whole trace packed beside it. */
export const callsMigration: Migration = {
  version: 3,
  name: 'calls',
  up(db) {
    db.script(`
      -- content_mark: newest content_no when the call was written. Loose contents up to the mark of a pruned call
      -- that no kept call names are garbage.
      CREATE TABLE call (
        call_no INTEGER PRIMARY KEY,
        call_id TEXT NOT NULL UNIQUE,
        session_no INTEGER NOT NULL REFERENCES session,
        content_mark INTEGER NOT NULL,
        summary TEXT NOT NULL,
        encoding INTEGER NOT NULL,
        trace BLOB NOT NULL
      ) STRICT;
      CREATE INDEX call_by_session ON call (session_no);

      CREATE TRIGGER call_is_immutable BEFORE UPDATE ON call
      BEGIN SELECT RAISE(ABORT, 'traces are never rewritten'); END;

      -- Only loose contents are listed: those of turns stay anyway, and a call names a thousand of them.
      CREATE TABLE call_content (
        call_no INTEGER NOT NULL REFERENCES call,
        content_no INTEGER NOT NULL REFERENCES content,
        PRIMARY KEY (call_no, content_no)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX call_content_by_content ON call_content (content_no);

      -- What the provider counted. model: the one that samples of its tokenizer belong to;
      -- own_tokens: what we counted, without the ratio that earlier samples gave.
      CREATE TABLE call_usage (
        call_no INTEGER PRIMARY KEY REFERENCES call,
        usage TEXT NOT NULL,
        model TEXT,
        own_tokens INTEGER NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        for_calibration INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX call_usage_sample ON call_usage (model, call_no, own_tokens, prompt_tokens) WHERE for_calibration = 1;
    `);
  },
};

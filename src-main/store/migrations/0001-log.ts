import type { Migration } from './migration.ts';

/**
 * The lossless log: sessions, their epochs, the turns and their bodies.
 * Times are milliseconds since the Unix epoch, REAL because hosts may give fractions of them. Hashes are 32 bytes.
 */
export const logMigration: Migration = {
  version: 1,
  name: 'log',
  up(db) {
    db.script(`
      CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE session (
        session_no INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        user_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        session_id TEXT NOT NULL,
        session_key TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        created_at REAL NOT NULL,
        last_active_at REAL NOT NULL,
        last_sequence INTEGER NOT NULL,
        epoch_start INTEGER NOT NULL,
        epoch_tokens INTEGER NOT NULL,
        checkpoint_count INTEGER NOT NULL,
        call_count INTEGER NOT NULL,
        last_call_id TEXT,
        last_budget INTEGER,
        last_model TEXT,
        cursor TEXT,
        parent_session_key TEXT,
        ended_reason TEXT,
        ended_at REAL,
        UNIQUE (user_id, agent_id, session_id, session_key)
      ) STRICT;
      CREATE INDEX session_by_id ON session (session_id);
      CREATE INDEX session_by_key ON session (user_id, session_key, last_active_at);
      CREATE INDEX session_by_activity ON session (last_active_at);

      -- An epoch's turns have the sequences after its start, up to the start of the next one.
      CREATE TABLE epoch (
        session_no INTEGER NOT NULL REFERENCES session,
        epoch INTEGER NOT NULL,
        start_sequence INTEGER NOT NULL,
        started_at REAL NOT NULL,
        PRIMARY KEY (session_no, epoch)
      ) STRICT, WITHOUT ROWID;

      -- encoding: 1 = zstd, 2 = UTF-16 (see pack-bytes.ts); cuts: rows in content_cut
      CREATE TABLE content (
        content_no INTEGER PRIMARY KEY,
        content_hash BLOB NOT NULL UNIQUE,
        message_key BLOB NOT NULL,
        tokens INTEGER NOT NULL,
        encoding INTEGER NOT NULL,
        cuts INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX content_by_message_key ON content (message_key, content_hash, tokens);

      CREATE TABLE media (
        media_no INTEGER PRIMARY KEY,
        media_hash BLOB NOT NULL UNIQUE,
        encoding INTEGER NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;

      -- Where base64 text was taken out of a body: UTF-16 offset in what is left of it.
      CREATE TABLE content_cut (
        content_no INTEGER NOT NULL REFERENCES content,
        position INTEGER NOT NULL,
        text_offset INTEGER NOT NULL,
        media_no INTEGER NOT NULL REFERENCES media,
        PRIMARY KEY (content_no, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX content_cut_by_media ON content_cut (media_no);

      -- Contents that no turn holds; only these may ever be deleted.
      CREATE TABLE loose_content (
        content_no INTEGER PRIMARY KEY REFERENCES content ON DELETE CASCADE
      ) STRICT;

      CREATE TRIGGER content_is_immutable BEFORE UPDATE ON content
      BEGIN SELECT RAISE(ABORT, 'contents are never rewritten'); END;
      CREATE TRIGGER held_content_stays BEFORE DELETE ON content
      WHEN EXISTS (SELECT 1 FROM loose_content WHERE content_no = OLD.content_no) = 0
      BEGIN SELECT RAISE(ABORT, 'contents of turns are never deleted'); END;

      -- Clustered by session and sequence, so that the tail of a session lies together.
      -- No foreign key to content: without an index on this side its deletes would scan all turns. The trigger
      -- above holds the contents, and the integrity check looks.
      CREATE TABLE turn (
        session_no INTEGER NOT NULL REFERENCES session,
        sequence INTEGER NOT NULL,
        turn_id TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        identity TEXT NOT NULL,
        message_key BLOB NOT NULL,
        content_hash BLOB NOT NULL,
        entry_id TEXT,
        advancement_key TEXT,
        role TEXT NOT NULL,
        format TEXT NOT NULL,
        timestamp REAL NOT NULL,
        tokens INTEGER NOT NULL,
        tokens_cumulative INTEGER NOT NULL,
        preview TEXT NOT NULL,
        tool_call_ids TEXT NOT NULL,
        tool_result_for TEXT,
        excluded INTEGER NOT NULL,
        heartbeat INTEGER NOT NULL,
        PRIMARY KEY (session_no, sequence)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX turn_by_identity ON turn (session_no, identity);
      CREATE INDEX turn_by_message_key ON turn (session_no, message_key);

      CREATE TRIGGER turn_is_immutable BEFORE UPDATE ON turn
      BEGIN SELECT RAISE(ABORT, 'turns are never rewritten'); END;
      CREATE TRIGGER turn_stays BEFORE DELETE ON turn
      BEGIN SELECT RAISE(ABORT, 'turns are never deleted'); END;

      -- sequences: JSON list of all turns that the host committed under the key, in its order
      CREATE TABLE advancement (
        session_no INTEGER NOT NULL REFERENCES session,
        advancement_key TEXT NOT NULL,
        payload_hash TEXT NOT NULL,
        sequences TEXT NOT NULL,
        committed_at REAL NOT NULL,
        PRIMARY KEY (session_no, advancement_key)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

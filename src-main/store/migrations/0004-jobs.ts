import type { Migration } from './migration.ts';

/**
 * Background work. Times are milliseconds since the Unix epoch; `next_attempt_at` 0 means at once, so that a clock that
 * goes back delays only what was meant to wait.
 */
export const jobsMigration: Migration = {
  version: 4,
  name: 'jobs',
  up(db) {
    db.script(`
      -- claims counts every run, also those that are not counted as attempts; with the worker it makes the lease token.
      CREATE TABLE job (
        job_no INTEGER PRIMARY KEY,
        job_id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'dead', 'cancelled')),
        session_uid TEXT,
        single_flight_key TEXT,
        idempotency_key TEXT,
        priority INTEGER NOT NULL,
        payload TEXT NOT NULL,
        result TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        max_attempts INTEGER NOT NULL,
        claims INTEGER NOT NULL DEFAULT 0,
        timeout_ms INTEGER NOT NULL,
        next_attempt_at REAL NOT NULL,
        last_error TEXT,
        progress TEXT,
        cancel_requested INTEGER NOT NULL DEFAULT 0,
        created_at REAL NOT NULL,
        started_at REAL,
        finished_at REAL,
        worker_id TEXT,
        lease_token TEXT,
        lease_until REAL,
        CHECK (attempts BETWEEN 0 AND max_attempts),
        CHECK ((state = 'running') = (lease_token IS NOT NULL)),
        CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL))
      ) STRICT;
      CREATE INDEX job_queued ON job (priority DESC, job_no) WHERE state = 'queued';
      CREATE INDEX job_due ON job (next_attempt_at) WHERE state = 'queued';
      CREATE INDEX job_running ON job (lease_until) WHERE state = 'running';
      -- Also what keeps two jobs of one key from running at once.
      CREATE UNIQUE INDEX job_in_flight ON job (single_flight_key) WHERE state = 'running';
      -- Also what keeps two live jobs of one key from being made.
      CREATE UNIQUE INDEX job_live_key ON job (type, idempotency_key) WHERE state IN ('queued', 'running');
      CREATE INDEX job_by_key ON job (type, idempotency_key) WHERE idempotency_key IS NOT NULL;
      CREATE INDEX job_by_session ON job (session_uid) WHERE session_uid IS NOT NULL;
      CREATE INDEX job_by_state ON job (state, finished_at);

      CREATE TABLE job_attempt (
        job_no INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
        number INTEGER NOT NULL,
        started_at REAL NOT NULL,
        ended_at REAL,
        outcome TEXT NOT NULL,
        error TEXT,
        PRIMARY KEY (job_no, number)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

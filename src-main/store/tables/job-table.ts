import type { JobAttemptOutcome, JobProgress, JobState } from '../../../src-shared/model/job.ts';
import type { Json } from '../../../src-shared/model/json.ts';
import type { Job, JobAttempt, JobFilter, NewJob } from '../../engine/ports/job-queue.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

/** A job with what only the store knows of it. */
export interface StoredJob extends Job {
  readonly no: number;
  /** Runs so far, also those that are not counted as attempts. */
  readonly claims: number;
  readonly lease: { readonly workerId: string; readonly token: string; readonly until: number } | undefined;
}

interface Row {
  readonly no: number;
  readonly jobId: string;
  readonly type: string;
  readonly state: JobState;
  readonly sessionUid: string | null;
  readonly singleFlightKey: string | null;
  readonly idempotencyKey: string | null;
  readonly priority: number;
  readonly payload: string;
  readonly result: string | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly claims: number;
  readonly timeoutMs: number;
  readonly nextAttemptAt: number;
  readonly lastError: string | null;
  readonly progress: string | null;
  readonly cancelRequested: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly workerId: string | null;
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
}

interface AttemptRow {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: JobAttemptOutcome;
  readonly error: string | null;
}

/** Attempts of a job that are kept. */
const keptAttempts = 20;

const columns = `job_no AS no, job_id AS jobId, type, state, session_uid AS sessionUid,
  single_flight_key AS singleFlightKey, idempotency_key AS idempotencyKey, priority, payload, result, attempts,
  max_attempts AS maxAttempts, claims, timeout_ms AS timeoutMs, next_attempt_at AS nextAttemptAt,
  last_error AS lastError, progress, cancel_requested AS cancelRequested, created_at AS createdAt,
  started_at AS startedAt, finished_at AS finishedAt, worker_id AS workerId, lease_token AS leaseToken,
  lease_until AS leaseUntil`;

/** Of these types, and no job with the same single-flight key is running. */
const startable = `state = 'queued' AND type IN (SELECT value FROM json_each(@types) wanted)
  AND NOT EXISTS (SELECT 1 FROM job r WHERE r.state = 'running' AND r.single_flight_key = job.single_flight_key)`;

const filtered = `(@state IS NULL OR state = @state) AND (@type IS NULL OR type = @type)
  AND (@sessionUid IS NULL OR session_uid = @sessionUid)`;

export const jobSql = {
  byId: `SELECT ${columns} FROM job WHERE job_id = ?`,
  byKey: `SELECT ${columns} FROM job WHERE type = ? AND idempotency_key = ?
    ORDER BY state IN ('queued', 'running') DESC, job_no DESC LIMIT 1`,
  claimable: `SELECT ${columns} FROM job WHERE ${startable} AND next_attempt_at <= @now
    ORDER BY priority DESC, job_no LIMIT 1`,
  nextDue: `SELECT next_attempt_at AS at FROM job WHERE ${startable} ORDER BY next_attempt_at LIMIT 1`,
  nextLease: `SELECT lease_until AS at FROM job WHERE state = 'running' AND worker_id <> ? ORDER BY lease_until LIMIT 1`,
  stalled: `SELECT ${columns} FROM job WHERE state = 'running' AND lease_until <= ? AND worker_id <> ?`,
  ofTheFuture: `SELECT job_no AS no FROM job WHERE state = 'queued' AND next_attempt_at > @now
    AND max(created_at, coalesce(started_at, 0)) > @now LIMIT 1`,
  page: `SELECT ${columns} FROM job WHERE ${filtered} AND job_no < @before ORDER BY job_no DESC LIMIT @limit`,
  attempts: `SELECT number, started_at AS startedAt, ended_at AS endedAt, outcome, error FROM job_attempt
    WHERE job_no = ? ORDER BY number`,
  // Counts look at every job; the old ones are pruned.
  count: `SELECT count(*) AS count FROM job WHERE ${filtered}`,
  counts: 'SELECT state, count(*) AS count FROM job GROUP BY state',
} as const;

interface Filter {
  readonly state: string | null;
  readonly type: string | null;
  readonly sessionUid: string | null;
}

export function jobReads(db: ReadConnection) {
  const byId = db.query<[string], Row>(jobSql.byId);
  const nextDue = db.query<[{ readonly types: string }], { readonly at: number }>(jobSql.nextDue);
  const nextLease = db.query<[string], { readonly at: number }>(jobSql.nextLease);
  const ofTheFuture = db.query<[{ readonly now: number }], { readonly no: number }>(jobSql.ofTheFuture);
  const page = db.query<[Filter & { readonly before: number; readonly limit: number }], Row>(jobSql.page);
  const count = db.query<[Filter], { readonly count: number }>(jobSql.count);
  const counts = db.query<[], { readonly state: JobState; readonly count: number }>(jobSql.counts);
  const attempts = db.query<[number], AttemptRow>(jobSql.attempts);
  return {
    byId: (jobId: string) => toJob(byId.get(jobId)),
    /** When the first job of these types that may be begun is due; 0: at once. */
    nextDue: (types: readonly string[]) => nextDue.get({ types: JSON.stringify(types) })?.at,
    /** When the first lease of another worker runs out. */
    nextLease: (workerId: string) => nextLease.get(workerId)?.at,
    /** A job waits that was made or begun later than now. */
    hasOfTheFuture: (now: number): boolean => ofTheFuture.get({ now }) !== undefined,
    page: (filter: JobFilter, before: number, limit: number): readonly StoredJob[] =>
      page.all({ ...named(filter), before, limit }).map(fromRow),
    count: (filter: JobFilter): number => count.get(named(filter))?.count ?? 0,
    counts: () => counts.all(),
    /** Oldest first. */
    attempts: (no: number): readonly JobAttempt[] =>
      attempts.all(no).map((row) => ({ ...row, endedAt: row.endedAt ?? undefined, error: row.error ?? undefined })),
  };
}

export function jobWrites(db: WriteConnection) {
  const byKey = db.query<[string, string], Row>(jobSql.byKey);
  const claimable = db.query<[{ readonly types: string; readonly now: number }], Row>(jobSql.claimable);
  const stalled = db.query<[number, string], Row>(jobSql.stalled);
  const insert = db.command<[Readonly<Record<string, string | number | null>>]>(
    `INSERT INTO job (job_id, type, state, session_uid, single_flight_key, idempotency_key, priority, payload,
       max_attempts, timeout_ms, next_attempt_at, created_at)
     VALUES (@jobId, @type, 'queued', @sessionUid, @singleFlightKey, @idempotencyKey, @priority, @payload,
       @maxAttempts, @timeoutMs, @nextAttemptAt, @at)`,
  );
  const save = db.command<[Readonly<Record<string, string | number | null>>]>(
    `UPDATE job SET state = @state, attempts = @attempts, claims = @claims, next_attempt_at = @nextAttemptAt,
       last_error = @lastError, progress = @progress, cancel_requested = @cancelRequested, result = @result,
       started_at = @startedAt, finished_at = @finishedAt, worker_id = @workerId, lease_token = @leaseToken,
       lease_until = @leaseUntil WHERE job_no = @no`,
  );
  const beginAttempt = db.command<[number, number, number]>(
    `INSERT INTO job_attempt (job_no, number, started_at, outcome) VALUES (?, ?, ?, 'running')`,
  );
  const forgetAttempts = db.command<[number, number]>('DELETE FROM job_attempt WHERE job_no = ? AND number <= ?');
  const endAttempt = db.command<[number, JobAttemptOutcome, string | null, number, number]>(
    'UPDATE job_attempt SET ended_at = ?, outcome = ?, error = ? WHERE job_no = ? AND number = ?',
  );
  const bringBack = db.command<[{ readonly now: number }]>(
    `UPDATE job SET created_at = min(created_at, @now), started_at = min(started_at, @now),
       next_attempt_at = @now + max(0, next_attempt_at - max(created_at, coalesce(started_at, 0)))
     WHERE state = 'queued' AND next_attempt_at > @now AND max(created_at, coalesce(started_at, 0)) > @now`,
  );
  const prune = db.command<[string, number]>(
    'DELETE FROM job WHERE state IN (SELECT value FROM json_each(?)) AND finished_at < ?',
  );
  return {
    ...jobReads(db),
    /** Jobs that were made or begun later than now wait from now on, as long as they were to wait then. */
    bringBack: (now: number): number => bringBack.run({ now }).changes,
    /** A live one before the newest of those that ended. */
    byKey: (type: string, key: string) => toJob(byKey.get(type, key)),
    claimable: (types: readonly string[], now: number) => toJob(claimable.get({ types: JSON.stringify(types), now })),
    stalled: (leasedUpTo: number, workerId: string): readonly StoredJob[] =>
      stalled.all(leasedUpTo, workerId).map(fromRow),
    insert(job: NewJob, payload: string): void {
      insert.run({
        jobId: job.jobId,
        type: job.type,
        sessionUid: job.sessionUid?.toWellFormed() ?? null,
        singleFlightKey: job.singleFlightKey?.toWellFormed() ?? null,
        idempotencyKey: job.idempotencyKey?.toWellFormed() ?? null,
        priority: job.priority,
        payload,
        maxAttempts: job.maxAttempts,
        timeoutMs: job.timeoutMs,
        nextAttemptAt: job.runAfter ?? 0,
        at: job.at,
      });
    },
    save: (job: StoredJob): void => void save.run(savedFields(job)),
    beginAttempt(no: number, number: number, at: number): void {
      beginAttempt.run(no, number, at);
      forgetAttempts.run(no, number - keptAttempts);
    },
    endAttempt: (job: StoredJob, outcome: JobAttemptOutcome, error: string | undefined, at: number): void =>
      void endAttempt.run(at, outcome, error ?? null, job.no, job.claims),
    prune: (states: readonly JobState[], finishedBefore: number): number =>
      prune.run(JSON.stringify(states), finishedBefore).changes,
  };
}
export type JobReads = ReturnType<typeof jobReads>;
export type JobWrites = ReturnType<typeof jobWrites>;

function named(filter: JobFilter): Filter {
  return { state: filter.state ?? null, type: filter.type ?? null, sessionUid: filter.sessionUid ?? null };
}

function savedFields(job: StoredJob): Readonly<Record<string, string | number | null>> {
  return {
    no: job.no,
    state: job.state,
    attempts: job.attempts,
    claims: job.claims,
    nextAttemptAt: job.nextAttemptAt ?? 0,
    lastError: job.lastError ?? null,
    progress: job.progress === undefined ? null : JSON.stringify(job.progress),
    cancelRequested: Number(job.cancelRequested),
    result: job.result === undefined ? null : JSON.stringify(job.result),
    startedAt: job.startedAt ?? null,
    finishedAt: job.finishedAt ?? null,
    workerId: job.lease?.workerId ?? null,
    leaseToken: job.lease?.token ?? null,
    leaseUntil: job.lease?.until ?? null,
  };
}

function toJob(row: Row | undefined): StoredJob | undefined {
  return row === undefined ? undefined : fromRow(row);
}

function fromRow({ workerId, leaseToken, leaseUntil, ...row }: Row): StoredJob {
  return {
    ...row,
    // Both texts and the progress were written above from values of these types.
    payload: JSON.parse(row.payload) as Json,
    result: row.result === null ? undefined : (JSON.parse(row.result) as Json),
    progress: row.progress === null ? undefined : (JSON.parse(row.progress) as JobProgress),
    sessionUid: row.sessionUid ?? undefined,
    singleFlightKey: row.singleFlightKey ?? undefined,
    idempotencyKey: row.idempotencyKey ?? undefined,
    nextAttemptAt: row.state === 'queued' && row.nextAttemptAt > 0 ? row.nextAttemptAt : undefined,
    lastError: row.lastError ?? undefined,
    cancelRequested: row.cancelRequested === 1,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    lease:
      workerId === null || leaseToken === null || leaseUntil === null
        ? undefined
        : { workerId, token: leaseToken, until: leaseUntil },
  };
}

import type { JobDetail, JobSummary } from '../../../src-shared/model/job.ts';
import type { Json, JsonObject } from '../../../src-shared/model/json.ts';
import type { Job, JobAttempt } from '../ports/job-queue.ts';

/** A job as the protocol shows it in lists. */
export function describeJob(job: Job): JobSummary {
  return {
    job_id: job.jobId,
    type: job.type,
    state: job.state,
    session_uid: job.sessionUid,
    single_flight_key: job.singleFlightKey,
    idempotency_key: job.idempotencyKey,
    priority: job.priority,
    attempts: job.attempts,
    max_attempts: job.maxAttempts,
    timeout_ms: job.timeoutMs,
    next_attempt_at: iso(job.nextAttemptAt),
    last_error: job.lastError,
    trigger: textIn(job.payload, 'trigger'),
    reason: textIn(job.result, 'reason'),
    progress: job.progress,
    cancel_requested: job.cancelRequested,
    created_at: new Date(job.createdAt).toISOString(),
    started_at: iso(job.startedAt),
    finished_at: iso(job.finishedAt),
  };
}

export function describeJobFully(job: Job, attempts: readonly JobAttempt[]): JobDetail {
  return {
    ...describeJob(job),
    payload: job.payload,
    result: job.result,
    history: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: new Date(attempt.startedAt).toISOString(),
      ended_at: iso(attempt.endedAt),
      outcome: attempt.outcome,
      error: attempt.error,
    })),
  };
}

function textIn(value: Json | undefined, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined;
  const found = value[name];
  return typeof found === 'string' ? found : undefined;
}

/** `Array.isArray` does not know lists that are read only. */
function isList(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

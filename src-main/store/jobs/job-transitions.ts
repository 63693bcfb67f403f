import type { JobAttemptOutcome } from '../../../src-shared/model/job.ts';
import type { StoredJob } from '../tables/job-table.ts';

/** How an attempt ended, and where the job stands after it. */
export interface AttemptEnd {
  readonly job: StoredJob;
  readonly outcome: JobAttemptOutcome;
  readonly error: string | undefined;
}

const ended = { lease: undefined, nextAttemptAt: undefined, cancelRequested: false } as const;

export function claimed(job: StoredJob, workerId: string, leaseMs: number, now: number): StoredJob {
  const claims = job.claims + 1;
  return {
    ...job,
    state: 'running',
    attempts: job.attempts + 1,
    claims,
    nextAttemptAt: undefined,
    progress: undefined,
    startedAt: now,
    // Never the same twice: a run of the same job by the same worker has another number.
    lease: { workerId, token: `${workerId}/${job.jobId}/${claims}`, until: now + leaseMs },
  };
}

export function succeeded(job: StoredJob, result: StoredJob['result'], now: number): AttemptEnd {
  const done: StoredJob = { ...job, ...ended, state: 'succeeded', result, lastError: undefined, finishedAt: now };
  return { job: done, outcome: 'succeeded', error: undefined };
}

/** @param next when to try again, or `dead`; without attempts left it is dead anyway */
export function failed(
  job: StoredJob,
  { outcome, error, next }: { outcome: 'failed' | 'timed_out' | 'stalled'; error: string; next: number | 'dead' },
  now: number,
): AttemptEnd {
  if (job.cancelRequested) {
    const cancelled: StoredJob = { ...job, ...ended, state: 'cancelled', finishedAt: now };
    return { job: cancelled, outcome: 'cancelled', error: undefined };
  }
  const isDead = next === 'dead' || job.attempts >= job.maxAttempts;
  const after: StoredJob = isDead
    ? { ...job, ...ended, state: 'dead', lastError: error, finishedAt: now }
    : { ...job, ...ended, state: 'queued', lastError: error, nextAttemptAt: next };
  return { job: after, outcome, error };
}

/** As if it had not been begun; but one that was asked to stop has stopped. */
export function released(job: StoredJob, now: number): AttemptEnd {
  if (job.cancelRequested) return failed(job, { outcome: 'failed', error: '', next: 'dead' }, now);
  const after: StoredJob = { ...job, ...ended, state: 'queued', attempts: job.attempts - 1 };
  return { job: after, outcome: 'released', error: undefined };
}

/** Queued again with all its attempts, whatever became of it before. */
export function anew(job: StoredJob): StoredJob {
  return {
    ...job,
    ...ended,
    state: 'queued',
    attempts: 0,
    progress: undefined,
    result: undefined,
    finishedAt: undefined,
  };
}

/** Ended by a person before or after it ran. */
export function calledOff(job: StoredJob, now: number): StoredJob {
  return { ...job, ...ended, state: 'cancelled', finishedAt: now };
}

import type { JobAttemptOutcome, JobProgress, JobState } from '../../../src-shared/model/job.ts';
import type { Json } from '../../../src-shared/model/json.ts';
import type { Page, PageRequest } from './session-store.ts';

/** A piece of background work on its way into the queue. Times in milliseconds since the Unix epoch. */
export interface NewJob {
  readonly jobId: string;
  /** Name of the handler. */
  readonly type: string;
  /** What the handler needs to know; up to 1,000,000 characters as JSON text. */
  readonly payload: Json;
  readonly sessionUid?: string | undefined;
  /** Of the jobs with the same key only one runs at a time; the others wait. */
  readonly singleFlightKey?: string | undefined;
  /** A second job of the type with the same key is not made: the first one is answered. */
  readonly idempotencyKey?: string | undefined;
  /** What happens when the job with the same idempotency key has ended already. Default `existing`. */
  readonly whenFinished?: 'existing' | 'new' | undefined;
  /** Higher ones first; among equals the oldest. */
  readonly priority: number;
  /** How often it may be begun before it is dead; at least 1. */
  readonly maxAttempts: number;
  /** How long one attempt may take (ms). */
  readonly timeoutMs: number;
  /** Not before this time; as soon as possible when undefined. */
  readonly runAfter?: number | undefined;
  readonly at: number;
}

/** A job as it stands. Times in milliseconds since the Unix epoch. */
export interface Job {
  readonly jobId: string;
  readonly type: string;
  readonly state: JobState;
  readonly payload: Json;
  readonly sessionUid: string | undefined;
  readonly singleFlightKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly priority: number;
  /** Begun and counted so far; starts at 0 again when the job is retried by hand. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  /** Of a queued job: not before this time; undefined: as soon as possible. */
  readonly nextAttemptAt: number | undefined;
  readonly lastError: string | undefined;
  readonly progress: JobProgress | undefined;
  /** A running job that was asked to stop; it is cancelled once its handler gave up. */
  readonly cancelRequested: boolean;
  /** What the handler answered; undefined until it succeeded. */
  readonly result: Json | undefined;
  readonly createdAt: number;
  /** Of the newest attempt. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** One run of a job's handler. */
export interface JobAttempt {
  /** Counts all runs of the job, also those before a retry by hand and those that were released. */
  readonly number: number;
  readonly startedAt: number;
  /** Undefined while it runs. */
  readonly endedAt: number | undefined;
  readonly outcome: JobAttemptOutcome;
  readonly error: string | undefined;
}

/** The right to say how a job ended; void once another attempt of it began or the job was taken away. */
export interface JobLease {
  readonly jobId: string;
  readonly leaseToken: string;
}

export interface ClaimedJob extends Job, JobLease {}

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly type?: string | undefined;
  readonly sessionUid?: string | undefined;
}

export type JobCounts = Readonly<Record<JobState, number>>;

export interface JobFailure {
  /** What went wrong, for people; cut to 2,000 characters. */
  readonly error: string;
  readonly outcome: 'failed' | 'timed_out';
  /** When to try again, or `dead`. A job without attempts left is dead whatever is asked for. */
  readonly next: number | 'dead';
}

/**
 * Background work that survives the process. Each method is one transaction: it happens wholly or not at all, so that
 * a process that dies at any point leaves each job queued, under a lease that somebody takes over, or ended.
 * Work is delivered at least once, its end is recorded exactly once.
 * Failures are EngineErrors `store_failed`, `store_corrupt` or `disk_full`.
 */
export interface JobQueue {
  /** `isNew` is false when the idempotency key was known. @throws EngineError `invalid_request` */
  enqueue(job: NewJob): Promise<{ readonly job: Job; readonly isNew: boolean }>;

  /** Takes the next due job of these types under a lease, and counts the attempt. */
  claim(request: {
    readonly types: readonly string[];
    readonly workerId: string;
    readonly leaseMs: number;
    readonly now: number;
  }): Promise<ClaimedJob | undefined>;

  /**
   * Prolongs the lease and stores progress. `cancelling`: held, but the job should stop; `lost`: the worker has no say
   * in the job any more and must give up.
   */
  heartbeat(
    lease: JobLease,
    beat: { readonly leaseMs: number; readonly now: number; readonly progress?: JobProgress | undefined },
  ): Promise<'held' | 'cancelling' | 'lost'>;

  /** @throws EngineError `lease_lost`: the job's end is somebody else's to tell */
  complete(lease: JobLease, result: Json, now: number): Promise<Job>;

  /** A job that was asked to stop is cancelled then. @throws EngineError `lease_lost` */
  fail(lease: JobLease, failure: JobFailure, now: number): Promise<Job>;

  /** Gives a job back as if it had not been begun: the attempt is not counted. @throws EngineError `lease_lost` */
  release(lease: JobLease, now: number): Promise<Job>;

  /**
   * A queued or dead job is cancelled at once; a running one is asked to stop.
   * @throws EngineError `unknown_job`, `job_not_cancellable`
   */
  cancel(jobId: string, now: number): Promise<Job>;

  /**
   * A dead or cancelled job is queued anew with all its attempts; one that waits for its next attempt is due at once.
   * @throws EngineError `unknown_job`, `job_not_retriable`
   */
  retry(jobId: string, now: number): Promise<Job>;

  /**
   * Takes jobs from workers that are gone: of others than `workerId`, those whose lease ran out, or with `all` every
   * one (where only one worker can be). The attempt stays counted: back to the queue, or dead when it was the last.
   */
  requeueStalled(request: {
    readonly workerId: string;
    readonly now: number;
    readonly all: boolean;
  }): Promise<readonly Job[]>;

  /**
   * A clock that was set back would let jobs wait until it is as late as it was again: those that were made or begun
   * later than now wait from now on, as long as they were to wait then. Returns how many.
   */
  mendClock(now: number): Promise<number>;

  /** When there may be something to do next for a worker of these types (ms since the Unix epoch; 0: at once). */
  nextWakeAt(request: { readonly types: readonly string[]; readonly workerId: string }): Promise<number | undefined>;

  get(jobId: string): Promise<{ readonly job: Job; readonly attempts: readonly JobAttempt[] } | undefined>;

  /** Newest first. */
  list(page: PageRequest, filter: JobFilter): Promise<Page<Job>>;

  counts(): Promise<JobCounts>;

  /** Deletes jobs in these states that ended before the time, and forgets their idempotency keys. Returns how many. */
  prune(states: readonly ('succeeded' | 'dead' | 'cancelled')[], finishedBefore: number): Promise<number>;
}

import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { JobProgress } from '../../../src-shared/model/job.ts';
import type { Json } from '../../../src-shared/model/json.ts';
import type {
  ClaimedJob,
  Job,
  JobAttempt,
  JobCounts,
  JobFailure,
  JobFilter,
  JobLease,
  JobQueue,
  NewJob,
} from '../../engine/ports/job-queue.ts';
import type { Page, PageRequest } from '../../engine/ports/session-store.ts';
import { readCursor, writeCursor } from '../page-cursor.ts';
import type { StoreConnections } from '../store-connections.ts';
import { jobReads, jobWrites, type JobReads, type JobWrites, type StoredJob } from '../tables/job-table.ts';
import { checkNewJob, jsonText } from './check-new-job.ts';
import { anew, calledOff, claimed, failed, released, succeeded, type AttemptEnd } from './job-transitions.ts';

/** Longest error text that is kept (characters). */
const longestError = 2_000;

/** The port over SQLite. One process owns the database, so a lease guards against its own past, not against others. */
export class SqliteJobQueue implements JobQueue {
  readonly #db: StoreConnections;
  readonly #reads: JobReads;
  readonly #writes: JobWrites;

  constructor(db: StoreConnections) {
    this.#db = db;
    this.#reads = jobReads(db.reader);
    this.#writes = jobWrites(db.writer);
  }

  async enqueue(job: NewJob): Promise<{ readonly job: Job; readonly isNew: boolean }> {
    checkNewJob(job);
    const payload = jsonText(job.payload, 'payload');
    return this.#db.write(() => {
      const key = job.idempotencyKey?.toWellFormed();
      const known = key === undefined ? undefined : this.#writes.byKey(job.type, key);
      const isLive = known?.finishedAt === undefined;
      if (known && (isLive || job.whenFinished !== 'new')) return { job: toJob(known), isNew: false };
      this.#writes.insert(job, payload);
      return { job: toJob(this.#require(job.jobId)), isNew: true };
    });
  }

  async claim(request: Parameters<JobQueue['claim']>[0]): Promise<ClaimedJob | undefined> {
    const { types, workerId, leaseMs, now } = request;
    return this.#db.write(() => {
      const found = this.#writes.claimable(types, now);
      if (found === undefined) return undefined;
      const job = claimed(found, workerId, leaseMs, now);
      this.#writes.save(job);
      this.#writes.beginAttempt(job.no, job.claims, now);
      return { ...toJob(job), leaseToken: job.lease?.token ?? '' };
    });
  }

  async heartbeat(
    lease: JobLease,
    { leaseMs, now, progress }: { leaseMs: number; now: number; progress?: JobProgress | undefined },
  ): Promise<'held' | 'cancelling' | 'lost'> {
    // Many times a minute, and after a power cut the lease is void anyway: this commit need not wait for the disk.
    return this.#db.writeLoosely(() => {
      const job = this.#held(lease);
      if (job?.lease === undefined) return 'lost';
      const prolonged = { ...job.lease, until: now + leaseMs };
      this.#writes.save({ ...job, lease: prolonged, progress: progress ?? job.progress });
      return job.cancelRequested ? 'cancelling' : 'held';
    });
  }

  async complete(lease: JobLease, result: Json, now: number): Promise<Job> {
    jsonText(result, 'result');
    return this.#end(lease, now, (job) => succeeded(job, result, now));
  }

  async fail(lease: JobLease, failure: JobFailure, now: number): Promise<Job> {
    const error = failure.error.slice(0, longestError).toWellFormed();
    return this.#end(lease, now, (job) => failed(job, { ...failure, error }, now));
  }

  async release(lease: JobLease, now: number): Promise<Job> {
    return this.#end(lease, now, (job) => released(job, now));
  }

  async cancel(jobId: string, now: number): Promise<Job> {
    return this.#change(jobId, (job) => {
      if (job.state === 'running') return { ...job, cancelRequested: true };
      if (job.state === 'queued' || job.state === 'dead') return calledOff(job, now);
      throw new EngineError(
        'job_not_cancellable',
        `Expected a job that is queued, running or dead; ${jobId} is ${job.state}. There is nothing left to cancel.`,
        { details: { job_id: jobId, state: job.state } },
      );
    });
  }

  async retry(jobId: string, _now: number): Promise<Job> {
    return this.#change(jobId, (job) => {
      if (job.state === 'queued' && job.nextAttemptAt !== undefined) return { ...job, nextAttemptAt: undefined };
      if (job.state !== 'dead' && job.state !== 'cancelled') throw notRetriable(job, whyNot[job.state]);
      const other = job.idempotencyKey === undefined ? undefined : this.#writes.byKey(job.type, job.idempotencyKey);
      if (other !== undefined && other.finishedAt === undefined) {
        throw notRetriable(job, `The job ${other.jobId} does the same and is ${other.state}.`);
      }
      return anew(job);
    });
  }

  async requeueStalled(request: Parameters<JobQueue['requeueStalled']>[0]): Promise<readonly Job[]> {
    const { workerId, now, all } = request;
    const upTo = all ? Infinity : now;
    // Nearly always there is none: then no write lock is taken.
    const next = this.#db.read(() => this.#reads.nextLease(workerId));
    if (next === undefined || next > upTo) return [];
    return this.#db.write(() =>
      this.#writes.stalled(upTo, workerId).map((job) => {
        const error = `The process that ran it ended before the job did (attempt ${job.attempts} of ${job.maxAttempts}).`;
        return this.#settle(job, failed(job, { outcome: 'stalled', error, next: 0 }, now), now);
      }),
    );
  }

  async mendClock(now: number): Promise<number> {
    // Nearly always there is none: then no write lock is taken.
    return this.#db.read(() => this.#reads.hasOfTheFuture(now)) ? this.#db.write(() => this.#writes.bringBack(now)) : 0;
  }

  async nextWakeAt(request: Parameters<JobQueue['nextWakeAt']>[0]): Promise<number | undefined> {
    return this.#db.read(() => {
      const due = this.#reads.nextDue(request.types);
      const lease = this.#reads.nextLease(request.workerId);
      return due === undefined ? lease : Math.min(due, lease ?? Infinity);
    });
  }

  async get(jobId: string): Promise<{ readonly job: Job; readonly attempts: readonly JobAttempt[] } | undefined> {
    return this.#db.read(() => {
      const job = this.#reads.byId(jobId);
      return job && { job: toJob(job), attempts: this.#reads.attempts(job.no) };
    });
  }

  async list(page: PageRequest, filter: JobFilter): Promise<Page<Job>> {
    return this.#db.read(() => {
      const [before = Infinity] = page.cursor === undefined ? [] : readCursor('jobs', page.cursor, 1);
      const found = this.#reads.page(filter, before, page.limit + 1);
      const items = found.slice(0, page.limit);
      const last = items.at(-1);
      const nextCursor = found.length > page.limit && last ? writeCursor('jobs', [last.no]) : undefined;
      return { items: items.map(toJob), nextCursor, total: this.#reads.count(filter) };
    });
  }

  async counts(): Promise<JobCounts> {
    const rows = this.#db.read(() => this.#reads.counts());
    const none: JobCounts = { queued: 0, running: 0, succeeded: 0, dead: 0, cancelled: 0 };
    return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
  }

  async prune(states: readonly ('succeeded' | 'dead' | 'cancelled')[], finishedBefore: number): Promise<number> {
    return this.#db.write(() => this.#writes.prune(states, finishedBefore));
  }

  #require(jobId: string): StoredJob {
    const job = this.#writes.byId(jobId);
    if (job !== undefined) return job;
    throw new EngineError(
      'unknown_job',
      `There is no job ${JSON.stringify(jobId.slice(0, 200))}; jobs that ended are removed after a while. GET /v1/jobs lists those there are.`,
    );
  }

  #held({ jobId, leaseToken }: JobLease): StoredJob | undefined {
    const job = this.#writes.byId(jobId);
    return job?.lease?.token === leaseToken ? job : undefined;
  }

  #end(lease: JobLease, now: number, transition: (job: StoredJob) => AttemptEnd): Job {
    return this.#db.write(() => {
      const job = this.#held(lease);
      if (job !== undefined) return this.#settle(job, transition(job), now);
      throw new EngineError(
        'lease_lost',
        `The job ${lease.jobId} was taken from this worker: another attempt of it began, or it ended. What this attempt did is not counted.`,
        { details: { job_id: lease.jobId } },
      );
    });
  }

  #settle(before: StoredJob, { job, outcome, error }: AttemptEnd, now: number): Job {
    this.#writes.save(job);
    this.#writes.endAttempt(before, outcome, error, now);
    return toJob(this.#require(job.jobId));
  }

  #change(jobId: string, transition: (job: StoredJob) => StoredJob): Job {
    return this.#db.write(() => {
      this.#writes.save(transition(this.#require(jobId)));
      return toJob(this.#require(jobId));
    });
  }
}

const whyNot = {
  queued: 'It is queued and begins as soon as a worker is free.',
  running: 'It is running; cancel it first.',
  succeeded: 'It did its work.',
} as const;

function notRetriable(job: StoredJob, why: string): EngineError {
  return new EngineError(
    'job_not_retriable',
    `Expected a job that is dead, cancelled or waiting for its next attempt; ${job.jobId} is ${job.state}. ${why}`,
    { details: { job_id: job.jobId, state: job.state } },
  );
}

function toJob({ no: _, claims: __, lease: ___, ...job }: StoredJob): Job {
  return job;
}

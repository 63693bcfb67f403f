import type { Json } from '../../../src-shared/model/json.ts';
import { Deadline } from '../deadline.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Job, JobQueue } from '../ports/job-queue.ts';
import type { JobDefaults, JobHandler } from './job-handler.ts';
import { JobRun, type JobRunParts } from './job-run.ts';

export interface JobRunnerSettings {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Days for which jobs that ended are kept; dead ones are kept twelve times as long. */
  readonly keepDays: number;
  /** A worker that does not give a sign for this long is taken for gone (ms). */
  readonly leaseMs?: number;
  /** The time a handler has to heed its signal (ms). */
  readonly graceMs?: number;
  /** Least time between two writes of a job's progress (ms). */
  readonly progressMs?: number;
  /** From 0 up to 1; spreads retries. */
  readonly random?: () => number;
}

export interface JobRunnerParts extends Pick<EngineParts, 'clock' | 'events' | 'log'> {
  readonly queue: JobQueue;
  /** Told whenever the jobs that are dead change: how many, and the newest of them. */
  readonly onDead?: (count: number, newest: Job | undefined) => void;
  /** Told when the queue itself fails. */
  readonly onFailure?: (error: unknown) => void;
}

/** What is to be done; the rest comes from the defaults of the type. */
export interface JobRequest extends JobDefaults {
  readonly type: string;
  readonly payload: Json;
  readonly sessionUid?: string;
  /** Of the jobs with the same key only one runs at a time. */
  readonly singleFlightKey?: string;
  /** A second job of the type with the same key is not made; the first one is answered. */
  readonly idempotencyKey?: string;
  /** What happens when the job with the same idempotency key has ended already. Default `existing`. */
  readonly whenFinished?: 'existing' | 'new';
  /** Not before this time (ms since the Unix epoch). */
  readonly runAfter?: number;
}

/** The clock is looked at this often while something waits (ms): timers are late after sleep, and clocks are set. */
const longestNap = 60_000;
const shortestNap = 10;
/** After a failure of the queue (ms). */
const failureNap = 5_000;
/** Dead jobs wait for a person, so they are kept so many times as long as others. */
const deadFactor = 12;
const dayMs = 24 * 60 * 60_000;

/**
 * Runs the jobs of one data directory. It looks at the queue when it is woken, when a job ends and when the next one is
 * due, and otherwise does nothing.
 */
export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #settings: Required<JobRunnerSettings>;
  readonly #workerId: string;
  readonly #types = new Map<string, { readonly handler: JobHandler; readonly defaults: JobDefaults }>();
  readonly #running = new Map<string, { readonly run: JobRun; readonly done: Promise<void> }>();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #reclaimed = false;
  #prunedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: JobRunnerParts, settings: JobRunnerSettings) {
    this.#parts = parts;
    this.#settings = { leaseMs: 30_000, graceMs: 10_000, progressMs: 500, random: Math.random, ...settings };
    this.#workerId = parts.clock.newId('worker');
  }

  /** Jobs of a type without a handler stay queued. May be called before and after `start`. */
  register(type: string, handler: JobHandler, defaults: JobDefaults = {}): void {
    this.#types.set(type, { handler, defaults });
    this.wake();
  }

  /**
   * Stores a job; when that is done it will run, whatever happens to the process.
   * @throws EngineError `invalid_request` or what the store throws
   */
  async enqueue(request: JobRequest): Promise<{ readonly job: Job; readonly isNew: boolean }> {
    const { clock, queue } = this.#parts;
    const given = { ...this.#types.get(request.type)?.defaults, ...request };
    const { priority = 0, maxAttempts = 5, timeoutMs = 10 * 60_000 } = given;
    const job = { ...request, priority, maxAttempts, timeoutMs, jobId: clock.newId('job'), at: clock.now() };
    const enqueued = await queue.enqueue(job);
    if (enqueued.isNew) this.#announce(enqueued.job);
    this.wake();
    return enqueued;
  }

  /** @throws EngineError `unknown_job`, `job_not_cancellable` */
  async cancel(jobId: string): Promise<Job> {
    const job = await this.#parts.queue.cancel(jobId, this.#parts.clock.now());
    this.#running.get(jobId)?.run.interrupt('cancelled');
    this.#announce(job);
    await this.#countDead();
    return job;
  }

  /** @throws EngineError `unknown_job`, `job_not_retriable` */
  async retry(jobId: string): Promise<Job> {
    const job = await this.#parts.queue.retry(jobId, this.#parts.clock.now());
    this.#announce(job);
    await this.#countDead();
    this.wake();
    return job;
  }

  /** Begins with the jobs that an earlier process left behind. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'started';
    this.wake();
  }

  /** Something may be due: looks at the queue soon. */
  wake(): void {
    if (this.#state !== 'started') return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      // Woken in the moment between the last look and here.
      if (this.#lookAgain) this.wake();
    });
  }

  /**
   * Begins nothing more. Running jobs may end for half of `ms`; then they are asked to, and after the other half they
   * are left alone. What did not end goes back to the queue without having used up an attempt.
   */
  async stop(ms: number): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    await this.#looking;
    const deadline = new Deadline(ms / 2);
    await deadline.wait(this.#allDone());
    deadline.clear();
    for (const { run } of this.#running.values()) run.interrupt('stopping', ms / 2);
    await this.#allDone();
  }

  /** Resolves when nothing runs and nothing more is due at this moment. */
  async settled(): Promise<void> {
    while (this.#looking !== undefined || this.#running.size > 0) {
      await this.#looking;
      await this.#allDone();
    }
  }

  async #allDone(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#lookAgain && this.#state === 'started') {
      this.#lookAgain = false;
      try {
        await this.#reclaim();
        await this.#claim();
        await this.#nap();
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  /** One process owns the data directory: at the start, whatever is under a lease was left behind by a dead one. */
  async #reclaim(): Promise<void> {
    const { queue, clock, log } = this.#parts;
    const now = clock.now();
    await queue.mendClock(now);
    const stalled = await queue.requeueStalled({ workerId: this.#workerId, now, all: !this.#reclaimed });
    for (const job of stalled) {
      log('warn', 'job was left behind', { job_id: job.jobId, type: job.type, state: job.state });
      this.#announce(job);
    }
    if (!this.#reclaimed || stalled.some((job) => job.state === 'dead')) await this.#countDead();
    this.#reclaimed = true;
    await this.#prune(now);
  }

  /** Once a day. */
  async #prune(now: number): Promise<void> {
    if (this.#prunedAt !== undefined && Math.abs(now - this.#prunedAt) < dayMs) return;
    this.#prunedAt = now;
    const keepMs = this.#settings.keepDays * dayMs;
    await this.#parts.queue.prune(['succeeded', 'cancelled'], now - keepMs);
    if ((await this.#parts.queue.prune(['dead'], now - keepMs * deadFactor)) > 0) await this.#countDead();
  }

  async #claim(): Promise<void> {
    const { queue, clock } = this.#parts;
    const { concurrency, leaseMs } = this.#settings;
    while (this.#state === 'started' && this.#running.size < concurrency && this.#types.size > 0) {
      const types = [...this.#types.keys()];
      const job = await queue.claim({ types, workerId: this.#workerId, leaseMs, now: clock.now() });
      const type = job && this.#types.get(job.type);
      if (job === undefined || type === undefined) return;
      this.#announce(job);
      const run = new JobRun(job, this.#runParts());
      this.#running.set(job.jobId, { run, done: this.#follow(run, type.handler) });
    }
  }

  /** Never rejects. */
  async #follow(run: JobRun, handler: JobHandler): Promise<void> {
    const job = await run.run(handler);
    this.#running.delete(run.job.jobId);
    if (job) this.#announce(job);
    if (job?.state === 'dead') await this.#countDead();
    this.wake();
  }

  /** One timer to the next job that is due; none when every worker is busy: its end wakes the runner. */
  async #nap(): Promise<void> {
    if (this.#running.size >= this.#settings.concurrency) return;
    const types = [...this.#types.keys()];
    const at = await this.#parts.queue.nextWakeAt({ types, workerId: this.#workerId });
    if (at !== undefined) this.#sleep(at - this.#parts.clock.now());
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#state !== 'started') return;
    this.#timer = setTimeout(() => this.wake(), Math.min(longestNap, Math.max(shortestNap, ms))).unref();
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log('error', 'job queue failed', { message });
    this.#parts.onFailure?.(error);
    this.#sleep(failureNap);
  }

  /** Never rejects. */
  async #countDead(): Promise<void> {
    if (!this.#parts.onDead) return;
    try {
      const { items, total } = await this.#parts.queue.list({ cursor: undefined, limit: 1 }, { state: 'dead' });
      this.#parts.onDead(total, items[0]);
    } catch (error) {
      this.#fail(error);
    }
  }

  #announce(job: Job): void {
    this.#parts.events.publish({
      type: 'job.changed',
      job_id: job.jobId,
      job_type: job.type,
      state: job.state,
      ...(job.sessionUid === undefined ? {} : { session_uid: job.sessionUid }),
      ...(job.progress === undefined ? {} : { progress: job.progress }),
    });
  }

  #runParts(): JobRunParts {
    const { queue, clock, log } = this.#parts;
    return { ...this.#settings, queue, clock, log, onProgress: (job) => this.#announce(job) };
  }
}

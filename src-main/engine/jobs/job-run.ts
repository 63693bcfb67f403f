import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { JobProgress } from '../../../src-shared/model/job.ts';
import type { Json } from '../../../src-shared/model/json.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { ClaimedJob, Job, JobQueue } from '../ports/job-queue.ts';
import { backoffMs } from './backoff.ts';
import type { JobHandler } from './job-handler.ts';
import { PermanentJobError } from './permanent-job-error.ts';

export interface JobRunParts extends Pick<EngineParts, 'clock' | 'log'> {
  readonly queue: JobQueue;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly leaseMs: number;
  /** The time a handler has to heed its signal (ms). */
  readonly graceMs: number;
  /** Least time between two writes of progress (ms). */
  readonly progressMs: number;
  /** Told of progress that was stored. */
  readonly onProgress: (job: Job) => void;
}

export type Interruption = 'timed_out' | 'cancelled' | 'stopping' | 'lost';

type Outcome =
  | { readonly kind: 'done'; readonly result: Json }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** The handler did not heed its signal and was left alone. */
  | { readonly kind: 'abandoned' };

/** Characters of a remark on progress. */
const longestNote = 200;
/** Longer timers than this fire at once (ms). */
const longestTimer = 2 ** 31 - 1;
/** Waits before the end of a job is told again to a store that failed (ms); the last one repeats. */
const tellAgain = [200, 1_000, 5_000, 30_000];

/** One attempt of one job: calls the handler, keeps the lease, and tells the queue how it ended. */
export class JobRun {
  readonly job: ClaimedJob;
  readonly #parts: JobRunParts;
  readonly #abort = new AbortController();
  readonly #abandoned = Promise.withResolvers<Outcome>();
  readonly #stop = Promise.withResolvers<void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #why: Interruption | undefined;
  #isStopping = false;
  #progress: JobProgress | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(job: ClaimedJob, parts: JobRunParts) {
    this.job = job;
    this.#parts = parts;
  }

  /** Asks the handler to end; a while later (`graceMs`) it is left alone. The first reason counts. */
  interrupt(why: Interruption, graceMs: number = this.#parts.graceMs): void {
    if (why === 'stopping') {
      this.#isStopping = true;
      this.#stop.resolve();
    }
    if (this.#why === undefined) {
      this.#why = why;
      this.#abort.abort(new Error(`The job was interrupted: ${why}.`));
    }
    this.#after(graceMs, () => this.#abandoned.resolve({ kind: 'abandoned' }));
  }

  /** Never rejects. Answers the job as it stands then, or undefined when its end is not for this attempt to tell. */
  async run(handler: JobHandler): Promise<Job | undefined> {
    this.#after(Math.min(this.job.timeoutMs, longestTimer), () => this.interrupt('timed_out'));
    const beats = setInterval(() => this.#beat(), Math.ceil(this.#parts.leaseMs / 3)).unref();
    try {
      const outcome = await Promise.race([this.#call(handler), this.#abandoned.promise]);
      if (outcome.kind === 'abandoned') this.#log('error', 'job handler did not heed its signal', {});
      return await this.#tell(outcome);
    } finally {
      clearInterval(beats);
      clearTimeout(this.#progressTimer);
      for (const timer of this.#timers) clearTimeout(timer);
    }
  }

  async #call(handler: JobHandler): Promise<Outcome> {
    try {
      const result = await handler(this.job, {
        signal: this.#abort.signal,
        progress: (done, total, note) => this.#noteProgress(progressOf(done, total, note)),
      });
      return { kind: 'done', result };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  #noteProgress(progress: JobProgress): void {
    this.#progress = progress;
    this.#progressTimer ??= setTimeout(() => {
      this.#progressTimer = undefined;
      this.#beat();
    }, this.#parts.progressMs).unref();
  }

  /** Prolongs the lease, with what is new of the progress; one after the other, and never rejects. */
  #beat(): void {
    this.#beating = this.#beating.then(async () => {
      const { queue, clock, leaseMs, onProgress } = this.#parts;
      const progress = this.#progress;
      this.#progress = undefined;
      try {
        const standing = await queue.heartbeat(this.job, { leaseMs, now: clock.now(), progress });
        if (standing === 'cancelling') this.interrupt('cancelled');
        if (standing === 'lost') this.interrupt('lost');
        else if (progress) onProgress({ ...this.job, progress });
      } catch (error) {
        // The next beat tries again; nobody else takes a job of a living worker.
        this.#progress ??= progress;
        this.#log('warn', 'job heartbeat failed', { message: messageOf(error) });
      }
    });
  }

  /** Tries until the store takes it: a job that did its work must not run again because the disk was full. */
  async #tell(outcome: Outcome): Promise<Job | undefined> {
    if (this.#progress) this.#beat();
    await this.#beating;
    for (let failures = 0; ; failures += 1) {
      if (this.#why === 'lost') return undefined;
      try {
        return await this.#end(outcome);
      } catch (error) {
        const isLost = error instanceof EngineError && error.code === 'lease_lost';
        this.#log(isLost ? 'warn' : 'error', 'end of a job was not recorded', { message: messageOf(error) });
        if (isLost || this.#isStopping) return undefined;
        await this.#wait(tellAgain[Math.min(failures, tellAgain.length - 1)] ?? 0);
      }
    }
  }

  async #end(outcome: Outcome): Promise<Job> {
    const { queue, clock } = this.#parts;
    const now = clock.now();
    if (outcome.kind === 'done') {
      try {
        return await queue.complete(this.job, outcome.result, now);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'invalid_request') throw error;
        return queue.fail(this.job, { error: error.message, outcome: 'failed', next: 'dead' }, now);
      }
    }
    if (this.#why === 'stopping') return queue.release(this.job, now);
    const isTimeout = this.#why === 'timed_out';
    const error = isTimeout ? `It was not done within ${this.job.timeoutMs} ms.` : outcomeText(outcome);
    const isPermanent = outcome.kind === 'threw' && outcome.error instanceof PermanentJobError;
    const next = isPermanent ? 'dead' : now + backoffMs(this.job.attempts, this.#parts.random());
    const job = await queue.fail(this.job, { error, outcome: isTimeout ? 'timed_out' : 'failed', next }, now);
    if (job.state !== 'cancelled') {
      this.#log(job.state === 'dead' ? 'error' : 'warn', 'job attempt failed', { state: job.state, message: error });
    }
    return job;
  }

  async #wait(ms: number): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#after(ms, resolve)), this.#stop.promise]);
  }

  #after(ms: number, work: () => void): void {
    this.#timers.add(setTimeout(work, ms).unref());
  }

  #log(level: 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void {
    const { jobId, type, attempts } = this.job;
    this.#parts.log(level, message, { job_id: jobId, type, attempt: attempts, ...fields });
  }
}

/** Whatever a handler reckons, people are shown numbers from 0 on. */
function progressOf(done: number, total: number, note: string | undefined): JobProgress {
  const [shownDone = 0, shownTotal = 0] = [done, total].map((count) =>
    Number.isFinite(count) ? Math.max(0, count) : 0,
  );
  return { done: shownDone, total: shownTotal, ...(note === undefined ? {} : { note: note.slice(0, longestNote) }) };
}

function outcomeText(outcome: Outcome): string {
  return outcome.kind === 'threw' ? messageOf(outcome.error) : 'It did not end when it was asked to.';
}

function messageOf(error: unknown): string {
  if (error instanceof EngineError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

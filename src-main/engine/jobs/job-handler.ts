import type { Json } from '../../../src-shared/model/json.ts';
import type { ClaimedJob } from '../ports/job-queue.ts';

export interface JobContext {
  /**
   * Aborted when the job's time is up, somebody cancelled it, or the daemon stops. A handler that does not end within
   * ten seconds of that is given up: its attempt is recorded, and another one may begin while it still runs. So ask
   * `signal.throwIfAborted()` right before each write that lasts.
   */
  readonly signal: AbortSignal;
  /** How far it is, in units of the handler's own; stored and announced twice a second at most. */
  readonly progress: (done: number, total: number, note?: string) => void;
}

/**
 * Does one attempt of a job; what it answers is stored with the job. It may run again after a crash even when it had
 * done its work, so what it did before must not be done twice. What it throws is tried again later, a
 * `PermanentJobError` is not.
 */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<Json>;

/** What a job of a type is like when `enqueue` does not say otherwise. */
export interface JobDefaults {
  /** Higher ones first; default 0. */
  readonly priority?: number;
  /** Default 5: attempts that ended with the whole process count too. */
  readonly maxAttempts?: number;
  /** How long one attempt may take (ms); default ten minutes. */
  readonly timeoutMs?: number;
}

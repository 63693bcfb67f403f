import { z } from 'zod';

/** `dead`: gave up for good, waits for a person; the other ends are `succeeded` and `cancelled`. */
export const jobStateSchema = z.enum(['queued', 'running', 'succeeded', 'dead', 'cancelled']);
export type JobState = z.infer<typeof jobStateSchema>;

/**
 * `stalled`: the process that ran it was gone; `released`: given back when the daemon stopped, not counted.
 */
export const jobAttemptOutcomeSchema = z.enum([
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'stalled',
  'cancelled',
  'released',
]);
export type JobAttemptOutcome = z.infer<typeof jobAttemptOutcomeSchema>;

/** How far a job is, in units of its own. */
export const jobProgressSchema = z.object({
  done: z.number().nonnegative(),
  total: z.number().nonnegative(),
  note: z.string().optional(),
});
export type JobProgress = z.infer<typeof jobProgressSchema>;

/** What lists show of a piece of background work. */
export const jobSummarySchema = z.object({
  job_id: z.string(),
  type: z.string(),
  state: jobStateSchema,
  session_uid: z.string().optional(),
  /** Of the jobs with the same key only one runs at a time. */
  single_flight_key: z.string().optional(),
  /** A second job of the type with the same key is not made. */
  idempotency_key: z.string().optional(),
  /** Higher ones first; among equals the oldest. */
  priority: z.int(),
  /** Begun so far, of `max_attempts`. */
  attempts: z.int().nonnegative(),
  max_attempts: z.int().positive(),
  /** How long one attempt may take (ms). */
  timeout_ms: z.int().positive(),
  /** Not before this time; absent: as soon as a worker is free. */
  next_attempt_at: z.string().optional(),
  last_error: z.string().optional(),
  /** What set it off, where it was told. */
  trigger: z.string().optional(),
  /** A code: why it came to nothing, where it ended so. */
  reason: z.string().optional(),
  progress: jobProgressSchema.optional(),
  /** It was asked to stop and has not stopped yet. */
  cancel_requested: z.boolean(),
  created_at: z.string(),
  started_at: z.string().optional(),
  finished_at: z.string().optional(),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;

export const jobAttemptSchema = z.object({
  number: z.int().positive(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  outcome: jobAttemptOutcomeSchema,
  error: z.string().optional(),
});

/** A job with what it was told, what it answered and its newest attempts, oldest first. */
export const jobDetailSchema = jobSummarySchema.extend({
  payload: z.unknown(),
  result: z.unknown().optional(),
  history: z.array(jobAttemptSchema),
});
export type JobDetail = z.infer<typeof jobDetailSchema>;

import { z } from 'zod';
import type { JobAttemptOutcome, JobDetail, JobProgress, JobState, JobSummary } from '../../src-shared/model/job.ts';
import { reasonWords } from './compaction-words.ts';
import { formatCount, formatNoun } from './format-number.ts';
import { formatTime, formatUntil } from './format-time.ts';

export const jobStates: readonly JobState[] = ['queued', 'running', 'succeeded', 'dead', 'cancelled'];

export function jobStateWord(state: JobState): string {
  switch (state) {
    case 'queued':
      return 'Queued';
    case 'running':
      return 'Running';
    case 'succeeded':
      return 'Succeeded';
    case 'dead':
      return 'Gave up';
    case 'cancelled':
      return 'Cancelled';
  }
}

export function outcomeWord(outcome: JobAttemptOutcome): string {
  switch (outcome) {
    case 'running':
      return 'running';
    case 'succeeded':
      return 'succeeded';
    case 'failed':
      return 'failed';
    case 'timed_out':
      return 'took too long';
    case 'stalled':
      return 'its process was gone';
    case 'cancelled':
      return 'cancelled';
    case 'released':
      return 'given back: the daemon stopped (not counted)';
  }
}

/** `2 of 5, folding summaries`; the total is left out where it is not known. */
export function progressWords({ done, total, note }: JobProgress): string {
  const figures =
    total > 0 ? `${formatCount(done)} of ${formatCount(total)}` : done > 0 ? `${formatCount(done)} done` : '';
  return [figures, note].filter((piece) => piece !== undefined && piece !== '').join(', ');
}

/** What a job does or waits for, as one line. */
export function jobLine(job: JobSummary, now: number): string {
  switch (job.state) {
    case 'queued':
      return queuedLine(job, now);
    case 'running': {
      const progress = job.progress === undefined ? '' : progressWords(job.progress);
      if (job.cancel_requested) return 'asked to stop';
      return progress === '' ? 'at work' : progress;
    }
    case 'succeeded':
      return job.reason === undefined ? '' : `nothing to do: ${reasonWords(job.reason)}`;
    case 'dead':
      return job.last_error ?? 'no reason was recorded';
    case 'cancelled':
      return job.last_error ?? '';
  }
}

function queuedLine(job: JobSummary, now: number): string {
  const { last_error: error, attempts } = job;
  if (error === undefined) return waitWords(job, now);
  return `${waitWords(job, now)}; attempt ${formatCount(attempts)} failed: ${error}`;
}

/** What a queued job waits for. */
export function waitWords({ type, attempts, next_attempt_at: next }: JobSummary, now: number): string {
  if (next === undefined || Date.parse(next) <= now) return 'waits for a worker';
  // A compaction is put off for one reason only before it was tried: the host may bring its model meanwhile.
  if (type === 'compact' && attempts === 0) return `waits until ${formatTime(next, now)} for OpenClaw’s model`;
  return `begins in ${formatUntil(next, now)}`;
}

export interface IdleWords {
  readonly sentence: string;
  /** Whether it is a pity: the context was too large, and still is. */
  readonly warn: boolean;
}

/** Why a compaction that succeeded made nothing; undefined for all other jobs. */
export function idleWords({ type, state, payload, result }: JobDetail): IdleWords | undefined {
  if (type !== 'compact' || state !== 'succeeded') return undefined;
  const answer = idleResultSchema.safeParse(result);
  if (!answer.success) return undefined;
  const { reason } = answer.data;
  const asked = askedSchema.safeParse(payload);
  const trigger = asked.success ? asked.data.trigger : undefined;
  const isTooLarge = (trigger === 'budget' || trigger === 'overflow') && !harmless.has(reason ?? '');
  const over = isTooLarge ? '. The context had reached its share of the budget and stays as it is' : '';
  return { sentence: `Nothing to do: ${reasonWords(reason)}${over}.`, warn: isTooLarge };
}

/** With these somebody else has compacted, or there is nothing any more that could be. */
const harmless: ReadonlySet<string> = new Set(['already_compacted', 'session_was_reset', 'unknown_session']);
const idleResultSchema = z.object({ compacted: z.literal(false), reason: z.string().optional() });
const askedSchema = z.object({ trigger: z.string() });

/** Why a job cannot be tried again now; undefined when it can. */
export function whyNotRetried({ state, next_attempt_at: next }: JobSummary, now: number): string | undefined {
  if (state === 'dead' || state === 'cancelled') return undefined;
  if (state === 'queued' && next !== undefined && Date.parse(next) > now) return undefined;
  return state === 'queued'
    ? 'It begins as soon as a worker is free'
    : 'Only jobs that gave up, were cancelled or wait';
}

export function canCancel({ state, cancel_requested: asked }: JobSummary): boolean {
  return state === 'queued' || state === 'dead' || (state === 'running' && !asked);
}

/** `2 of 3 attempts`. */
export function attemptWords({ attempts, max_attempts: most }: JobSummary): string {
  return `${formatCount(attempts)} of ${formatNoun(most, 'attempt')}`;
}

/** Ids of the checkpoints that a job says it made. */
export function checkpointIdsOf(result: unknown): readonly string[] {
  const ids = typeof result === 'object' && result !== null && 'checkpoint_ids' in result ? result.checkpoint_ids : [];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

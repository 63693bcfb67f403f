import { z } from 'zod';
import { jobProgressSchema, jobStateSchema } from './job.ts';

export const alarmSchema = z.object({
  code: z.enum([
    'host_silent',
    'turns_rejected',
    'engine_bypassed',
    'store_failing',
    'unclean_shutdown',
    'assemble_degraded',
    'catch_up_incomplete',
    'jobs_dead',
    'index_behind',
    'page_unreadable',
    'workspace_failing',
  ]),
  severity: z.enum(['warning', 'danger']),
  /** One sentence: what was seen. */
  message: z.string(),
  /** What to do about it. */
  remedy: z.string(),
  since: z.string(),
  session_uid: z.string().optional(),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** What the live stream carries. Events announce; the reading routes are the truth. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turns.committed'),
    session_uid: z.string(),
    session_id: z.string(),
    turn_ids: z.array(z.string()),
    last_sequence: z.int(),
  }),
  z.object({ type: z.literal('call.assembled'), session_uid: z.string(), call_id: z.string() }),
  /** A rule holds the call; it goes on when somebody says so, and by itself at `until`. */
  z.object({
    type: z.literal('call.paused'),
    session_uid: z.string(),
    call_id: z.string(),
    breakpoint_id: z.string(),
    until: z.string(),
    because: z.string(),
  }),
  z.object({
    type: z.literal('call.resumed'),
    session_uid: z.string(),
    call_id: z.string(),
    breakpoint_id: z.string(),
    by: z.enum(['person', 'timeout', 'removed', 'stopped']),
  }),
  z.object({ type: z.literal('call.usage'), session_uid: z.string(), call_id: z.string() }),
  z.object({ type: z.literal('checkpoint.created'), session_uid: z.string(), checkpoint_id: z.string() }),
  z.object({ type: z.literal('session.changed'), session_uid: z.string() }),
  /** A job began, ended, waits again or got further; progress is told a few times a second at most. */
  z.object({
    type: z.literal('job.changed'),
    job_id: z.string(),
    job_type: z.string(),
    state: jobStateSchema,
    session_uid: z.string().optional(),
    progress: jobProgressSchema.optional(),
  }),
  /** A page was written, by whomever, or its index rows are there now. */
  z.object({ type: z.literal('page.changed'), uri: z.string(), change: z.enum(['written', 'indexed', 'removed']) }),
  z.object({ type: z.literal('memory.operation'), operation_id: z.string(), uri: z.string().optional() }),
  z.object({ type: z.literal('health.changed') }),
  /** Sent by the stream itself when a client resumed after events it can no longer have. */
  z.object({ type: z.literal('stream.gap'), dropped: z.int().nonnegative() }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

import { z } from 'zod';

export const sessionSummarySchema = z.object({
  /** Strata's own id of the session; unique even where two hosts use the same session id. */
  session_uid: z.string(),
  uri: z.string(),
  session_id: z.string(),
  session_key: z.string(),
  agent_id: z.string(),
  user_id: z.string(),
  /** Counts resets; the turns before the newest reset stay in the log and out of the context. */
  epoch: z.int().nonnegative(),
  state: z.enum(['idle', 'compacting']),
  created_at: z.string(),
  last_active_at: z.string(),
  /** Turns over all epochs, and in the present one. */
  turn_count: z.int().nonnegative(),
  epoch_turn_count: z.int().nonnegative(),
  /** Uncalibrated tokens of all turns of the present epoch. */
  epoch_tokens: z.int().nonnegative(),
  checkpoint_count: z.int().nonnegative(),
  call_count: z.int().nonnegative(),
  last_call_id: z.string().optional(),
  last_budget: z.int().nonnegative().optional(),
  last_model: z.string().optional(),
  strategy: z.string(),
  /** Background compaction: what was tried last, and before when nothing is tried again. */
  compaction: z
    .object({
      last_trigger: z.string().optional(),
      last_reason: z.string().optional(),
      last_attempt_at: z.string().optional(),
      next_attempt_at: z.string().optional(),
    })
    .optional(),
  parent_session_key: z.string().optional(),
  ended: z.object({ reason: z.string(), at: z.string() }).optional(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

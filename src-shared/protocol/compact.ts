import { z } from 'zod';
import { compactTriggerSchema } from '../model/checkpoint.ts';
import { none, sessionIdentityFields } from './common.ts';
import { defineRoute } from './route.ts';

const compactionFields = {
  ...sessionIdentityFields,
  token_budget: z.int().positive().optional(),
  /** True: shrink whatever the budget says; a forced request that frees nothing is answered `compacted: false`. */
  force: z.boolean().optional(),
  /** What the host or the provider counted last. */
  current_token_count: z.int().nonnegative().optional(),
  target: z.enum(['budget', 'threshold']).optional(),
  trigger: compactTriggerSchema.default('manual'),
  /** 1-based attempt of an overflow recovery; later attempts keep less. */
  attempt: z.int().positive().max(100).optional(),
  custom_instructions: z.string().max(10_000).optional(),
};

/** What the host's model is to be asked, and how to hand in its answer. */
export const preparedCompactionSchema = z.object({
  /** Handed back with the answer to `POST /v1/compact`. */
  reservation_id: z.string(),
  /** ISO time after which the reservation is void and somebody else may compact. */
  expires_at: z.string(),
  system: z.string(),
  prompt: z.string(),
  max_output_tokens: z.int().positive(),
  prompt_version: z.string(),
});
export type PreparedCompaction = z.infer<typeof preparedCompactionSchema>;

/** What the host's model said, or why it said nothing. */
export const hostAnswerSchema = z.union([
  z.object({
    text: z.string().max(1_000_000),
    model: z.string().max(500).optional(),
    stop_reason: z.string().max(100).optional(),
    input_tokens: z.int().nonnegative().max(1e12).optional(),
    output_tokens: z.int().nonnegative().max(1e12).optional(),
  }),
  z.object({ failure: z.string().max(2_000) }),
]);
export type HostAnswer = z.infer<typeof hostAnswerSchema>;

export const compactRequestSchema = z.object({
  ...compactionFields,
  /** Second phase: the answer to what `POST /v1/prepare-compaction` asked; both or neither. */
  reservation_id: z.string().max(200).optional(),
  answer: hostAnswerSchema.optional(),
});
export type CompactRequest = z.infer<typeof compactRequestSchema>;

export const compactReplySchema = z.object({
  ok: z.boolean(),
  compacted: z.boolean(),
  /** Why nothing was compacted, or what went wrong; a code such as `nothing_to_compact`. */
  reason: z.string().optional(),
  /** Of the whole context as it was at first and as it is now. */
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  /** The newest checkpoint that was made. */
  checkpoint_id: z.string().optional(),
  /** All that were made, oldest first: long ranges are archived piece by piece. */
  checkpoint_ids: z.array(z.string()).default([]),
  summary: z.string().optional(),
  /** Entry id of the first turn that stays raw, where the host gave one. */
  first_kept_entry_id: z.string().optional(),
  /** Ask the host's model again: the answer was refused, or there is more to archive. */
  next: preparedCompactionSchema.optional(),
});
export type CompactReply = z.infer<typeof compactReplySchema>;

export const prepareCompactionReplySchema = z.object({
  /** Absent: no model of the host is needed; `POST /v1/compact` without a reservation does what there is to do. */
  prepared: preparedCompactionSchema.optional(),
  reason: z.string().optional(),
});
export type PrepareCompactionReply = z.infer<typeof prepareCompactionReplySchema>;

const shared = {
  method: 'POST',
  auth: 'token',
  params: none,
  query: none,
  limit: 'ordinary',
  replyKind: 'json',
} as const;

export const prepareCompactionRoute = defineRoute({
  ...shared,
  name: 'prepareCompaction',
  path: '/v1/prepare-compaction',
  summary: 'First phase of a compaction whose summary the host’s own model writes: what to ask it',
  body: z.object(compactionFields),
  reply: prepareCompactionReplySchema,
});
export type PrepareCompactionRequest = z.infer<typeof prepareCompactionRoute.body>;

export const compactRoute = defineRoute({
  ...shared,
  name: 'compact',
  path: '/v1/compact',
  summary: 'Archive older turns into a checkpoint and put its summary in their place',
  body: compactRequestSchema,
  reply: compactReplySchema,
});

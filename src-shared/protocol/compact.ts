import { z } from 'zod';
import { compactTriggerSchema } from '../model/checkpoint.ts';
import { none, sessionIdentityFields } from './common.ts';
import { defineRoute } from './route.ts';

export const compactRequestSchema = z.object({
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
});
export type CompactRequest = z.infer<typeof compactRequestSchema>;

export const compactReplySchema = z.object({
  ok: z.boolean(),
  compacted: z.boolean(),
  /** Why nothing was compacted, or what went wrong; a code such as `nothing_to_compact`. */
  reason: z.string().optional(),
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  checkpoint_id: z.string().optional(),
  summary: z.string().optional(),
  /** Entry id of the first turn that stays raw, where the host gave one. */
  first_kept_entry_id: z.string().optional(),
});
export type CompactReply = z.infer<typeof compactReplySchema>;

export const compactRoute = defineRoute({
  name: 'compact',
  method: 'POST',
  path: '/v1/compact',
  summary: 'Archive older turns into a checkpoint and put its summary in their place',
  auth: 'token',
  params: none,
  query: none,
  body: compactRequestSchema,
  reply: compactReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

import { z } from 'zod';
import { tokenCounterSchema } from './tokens.ts';

export const compactTriggerSchema = z.enum([
  'manual',
  'overflow',
  'budget',
  'tokens_added',
  'turns',
  'interval',
  'host',
]);
export type CompactTrigger = z.infer<typeof compactTriggerSchema>;

export const identifierPolicySchema = z.enum(['strict', 'relaxed', 'none']);
export type IdentifierPolicy = z.infer<typeof identifierPolicySchema>;

/** The record of one compaction: what was archived, by whom, and what it cost. Immutable. */
export const compactCheckpointSchema = z.object({
  checkpoint_id: z.string(),
  session_id: z.string(),
  committed_at: z.string(),
  /** 0-based count of checkpoints within the session. */
  archive_index: z.int().nonnegative(),
  source_turn_range: z.object({ start_sequence: z.int(), end_sequence: z.int() }),
  summary_uri: z.string().optional(),
  extracted_memory_uris: z.array(z.string()),
  epoch: z.int().nonnegative(),
  trigger: compactTriggerSchema,
  /** Tokens of the whole context (summaries + raw turns) before and after, by `counter`. */
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  counter: tokenCounterSchema,
  /** Tokens of the turns in the range, and of the summary that stands for them. */
  source_tokens: z.int().nonnegative(),
  summary_tokens: z.int().nonnegative(),
  identifier_policy: identifierPolicySchema,
  identifiers_kept: z.array(z.string()),
  identifiers_lost: z.array(z.string()),
  summariser: z.string(),
  model: z.string().optional(),
  prompt_version: z.string().optional(),
  duration_ms: z.number().nonnegative(),
  parent_checkpoint_ids: z.array(z.string()),
  /** About 100 and 500 tokens. */
  abstract: z.string(),
  overview: z.string(),
});
export type CompactCheckpoint = z.infer<typeof compactCheckpointSchema>;

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
  /** Of the source, verbatim in the overview, the repaired ones included; at most 2,000. */
  identifiers_kept: z.array(z.string()),
  /** Those that the writer of the summary had left out and that were put back. */
  identifiers_repaired: z.array(z.string()).default([]),
  identifiers_lost: z.array(z.string()),
  /** Sequences of source turns that nothing in the overview speaks of; at most 2,000. */
  uncovered_sequences: z.array(z.int()).default([]),
  /** What the user asked to look out for. */
  focus: z.string().optional(),
  summariser: z.string(),
  model: z.string().optional(),
  prompt_version: z.string().optional(),
  /** Why another summariser than the configured one wrote it: a code, and what happened. */
  fallback: z.object({ from: z.string(), reason: z.string() }).optional(),
  /** Answers that were asked for, refused ones included. */
  attempts: z.int().positive().default(1),
  /** What the model counted, over all attempts. */
  input_tokens: z.int().nonnegative().optional(),
  output_tokens: z.int().nonnegative().optional(),
  duration_ms: z.number().nonnegative(),
  /** 0: made of turns; above: made of the checkpoints in `parent_checkpoint_ids`. */
  level: z.int().nonnegative().default(0),
  parent_checkpoint_ids: z.array(z.string()),
  /** Newest turn of the session, and tokens of its epoch's turns, when this was made; what comes later is new. */
  as_of: z.object({ sequence: z.int().nonnegative(), epoch_tokens: z.int().nonnegative() }).optional(),
  /** About 100 and 500 tokens. */
  abstract: z.string(),
  overview: z.string(),
});
export type CompactCheckpoint = z.infer<typeof compactCheckpointSchema>;

/**
 * `stands`: its summary is in the place of its turns. `folded`: a checkpoint of a higher level stands for it.
 * `replaced`: it was run again. `dissolved`: its turns are raw again.
 */
export const checkpointStateSchema = z.enum(['stands', 'folded', 'replaced', 'dissolved']);
export type CheckpointState = z.infer<typeof checkpointStateSchema>;

/** A checkpoint and what became of it. */
export const checkpointRecordSchema = compactCheckpointSchema.extend({
  state: checkpointStateSchema,
  ended_at: z.string().optional(),
  /** The checkpoint that stands for it now (`folded`, `replaced`). */
  ended_by: z.string().optional(),
});
export type CheckpointRecord = z.infer<typeof checkpointRecordSchema>;

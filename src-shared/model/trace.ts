import { z } from 'zod';
import { callInputsSchema } from './call-inputs.ts';
import { tokenCounterSchema } from './tokens.ts';

/** Kinds of segment; the inspector gives each one colour, letter and texture, the same everywhere. */
export const segmentKindSchema = z.enum([
  'system',
  'profile',
  'memory_index',
  'recalled_memory',
  'summary',
  'raw_turn',
  'tool_result',
  'reserved',
  'free',
]);
export type SegmentKind = z.infer<typeof segmentKindSchema>;

export const decisionActionSchema = z.enum(['included', 'trimmed', 'dropped']);
export type DecisionAction = z.infer<typeof decisionActionSchema>;

/** Why a candidate ended as it did. The sentences for people are made from these codes and their values. */
export const decisionReasonSchema = z.enum([
  // included
  'standing_instruction',
  'host_system_message',
  'newest_turns',
  'within_budget',
  'summary_newest',
  'summary_older',
  'host_summary',
  'anchor_user_turn',
  'live_not_stored',
  'strategy_choice',
  'passed_through',
  'standing_memory',
  'prompt_layer',
  'recalled',
  'recalled_pinned',
  'recall_frame',
  // trimmed
  'oversized_newest',
  'summary_shortened',
  'large_result_old',
  // dropped
  'over_budget',
  'summary_over_budget',
  'covered_by_checkpoint',
  'covered_by_host_summary',
  'excluded_from_context',
  'orphan_tool_result',
  'orphan_tool_call',
  'blank_content',
  'window_starts_at_user',
  'before_reset',
  'deadline',
  'standing_over_budget',
  'host_sends_it',
  'recall_over_budget',
  'recall_over_limit',
  'recall_below_threshold',
  'recall_duplicate',
  'recall_superseded',
  'recall_in_context',
  'recall_unchanged',
  'recall_abstained',
  'recall_skipped',
  'recall_late',
  'recall_failed',
]);
export type DecisionReason = z.infer<typeof decisionReasonSchema>;

/**
 * A candidate of the call. A run of older turns that are decided together is one item with `count` > 1
 * and a sequence range, so that a call on a session of 100,000 turns stays readable and small.
 */
export const traceItemSchema = z.object({
  item: z.string(),
  kind: segmentKindSchema,
  source: z.enum(['host', 'store', 'engine']),
  role: z.string(),
  uri: z.string().optional(),
  /** Index in the host's own message list. */
  host_index: z.int().nonnegative().optional(),
  sequence: z.int().positive().optional(),
  end_sequence: z.int().positive().optional(),
  count: z.int().positive(),
  /** SHA-256 (hex) of the message as JSON; its body is stored once under this hash. */
  content_hash: z.string().optional(),
  tokens: z.int().nonnegative(),
  preview: z.string(),
  /** Of standing memory: when it was read. It stays as it was then, so that the provider's prompt cache holds. */
  as_of: z.string().optional(),
  /** Of standing memory: it was changed since, and the change waits for the next refresh. */
  changes_waiting: z.boolean().optional(),
});
export type TraceItem = z.infer<typeof traceItemSchema>;

export const traceDecisionSchema = z.object({
  seq: z.int().nonnegative(),
  item: z.string(),
  action: decisionActionSchema,
  reason: decisionReasonSchema,
  scores: z.record(z.string(), z.number()),
  threshold: z.number().optional(),
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  budget_left: z.int(),
});
export type TraceDecision = z.infer<typeof traceDecisionSchema>;

export const traceSlotSchema = z.object({
  kind: segmentKindSchema,
  /** Tokens: the slot's limit, what its candidates asked for, what was used and what was cut. */
  allotted: z.int().nonnegative(),
  asked: z.int().nonnegative(),
  used: z.int().nonnegative(),
  cut: z.int().nonnegative(),
  rule: z.string(),
});
export type TraceSlot = z.infer<typeof traceSlotSchema>;

export const calibrationSchema = z.object({
  /** Provider tokens per token of ours, from least squares over reported calls; 1 while there are too few. */
  ratio: z.number().positive(),
  samples: z.int().nonnegative(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

export const degradedSchema = z.object({ code: z.string(), message: z.string() });
export type Degraded = z.infer<typeof degradedSchema>;

/** The list that was answered, in order: a message of the host, or one of ours by content hash. */
export const traceOutputEntrySchema = z.union([
  z.object({ host: z.int().nonnegative(), item: z.string() }),
  z.object({ inline: z.string(), item: z.string() }),
]);
export type TraceOutputEntry = z.infer<typeof traceOutputEntrySchema>;

/** The immutable record of one assemble call. Stepping through it is a fold over `decisions[].seq`. */
export const assembleTraceSchema = z.object({
  call_id: z.string(),
  session_uid: z.string(),
  session_id: z.string(),
  session_key: z.string(),
  agent_id: z.string(),
  epoch: z.int().nonnegative(),
  created_at: z.string(),
  duration_ms: z.number().nonnegative(),
  engine_version: z.string(),
  strategy: z.string(),
  config_hash: z.string(),
  /** SHA-256 over the request's message identities, budget, prompt and model. */
  input_hash: z.string(),
  /** SHA-256 over the answered messages; equal inputs give equal outputs. */
  output_hash: z.string(),
  format: z.enum(['openclaw', 'openai']),
  reply: z.enum(['messages', 'plan']),
  history: z.enum(['full', 'window']),
  model: z.string().optional(),
  prompt_preview: z.string().optional(),
  host_message_count: z.int().nonnegative(),
  stored_turn_count: z.int().nonnegative(),
  token_budget: z.int().nonnegative(),
  budget_source: z.enum(['request', 'last_seen', 'default']),
  estimated_tokens: z.int().nonnegative(),
  counter: tokenCounterSchema,
  calibration: calibrationSchema,
  slots: z.array(traceSlotSchema),
  items: z.array(traceItemSchema),
  decisions: z.array(traceDecisionSchema),
  output: z.array(traceOutputEntrySchema),
  system_prompt_addition: z.string().optional(),
  degraded: degradedSchema.optional(),
  /** What it takes to run the call again; calls of earlier versions have none. */
  inputs: callInputsSchema.optional(),
});
export type AssembleTrace = z.infer<typeof assembleTraceSchema>;

/** What the provider reported of the model call that was made from an assemble call; kept beside the trace. */
export const providerUsageSchema = z.object({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cache_read: z.int().nonnegative(),
  cache_write: z.int().nonnegative(),
  /** input + cache_read + cache_write: tokens of the whole prompt. */
  prompt_tokens: z.int().nonnegative(),
  model: z.string().optional(),
  reported_at: z.string(),
  /**
   * Present when the host told only one number for a run of several model calls: all numbers are then sums over so many
   * calls, the first of which was made from this assemble call. They measure no list.
   */
  sum_of_model_calls: z.int().min(2).optional(),
});
export type ProviderUsage = z.infer<typeof providerUsageSchema>;

export const callSummarySchema = z.object({
  call_id: z.string(),
  session_uid: z.string(),
  session_id: z.string(),
  session_key: z.string(),
  agent_id: z.string(),
  epoch: z.int().nonnegative(),
  created_at: z.string(),
  duration_ms: z.number().nonnegative(),
  strategy: z.string(),
  model: z.string().optional(),
  prompt_preview: z.string().optional(),
  token_budget: z.int().nonnegative(),
  estimated_tokens: z.int().nonnegative(),
  counter: tokenCounterSchema,
  /** Tokens used per kind of segment. */
  used: z.partialRecord(segmentKindSchema, z.int().nonnegative()),
  included: z.int().nonnegative(),
  trimmed: z.int().nonnegative(),
  dropped: z.int().nonnegative(),
  degraded: degradedSchema.optional(),
  usage: providerUsageSchema.optional(),
});
export type CallSummary = z.infer<typeof callSummarySchema>;

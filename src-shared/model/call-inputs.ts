import { z } from 'zod';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Messages of the host's list as they were recognised, without their bodies. */
export const inputMessageSchema = z.union([
  /** Host index, sequence and count: so many stored turns in a row. */
  z.tuple([z.int().nonnegative(), z.int().positive(), z.int().positive()]),
  /** Host index and content hash: a message that was not in the log. */
  z.tuple([z.int().nonnegative(), z.string()]),
]);
export type InputMessage = z.infer<typeof inputMessageSchema>;

/** What recall had for a call. */
export const inputRecallSchema = z.object({
  query: z.string(),
  /** When it was asked (ms since the epoch). */
  at: z.number(),
  /** Tokens that were set apart for it. */
  room: z.int().nonnegative(),
  /** Where its messages belong; undefined: nobody asks for anything. */
  place: z
    .union([
      z.object({ at: z.literal('end') }),
      z.object({
        at: z.literal('before'),
        host_index: z.int().nonnegative().optional(),
        sequence: z.int().positive().optional(),
      }),
    ])
    .optional(),
  /** Hash of the search's answer; undefined: there was none, and `note` says why. */
  result: hashSchema.optional(),
  note: z.object({ reason: z.string(), preview: z.string() }).optional(),
  /** Items that an earlier call of the turn was answered with, where one was: others stay out. */
  sent: z.array(z.string()).optional(),
});
export type InputRecall = z.infer<typeof inputRecallSchema>;

/**
 * All that a call was made from and the store does not keep as it was then. Shared parts are contents by hash: the same
 * settings, standing memory and recall serve many calls.
 */
export const callInputsSchema = z.object({
  version: z.literal(1),
  /** The session as it was. */
  session: z.object({
    user_id: z.string(),
    created_at: z.number(),
    last_active_at: z.number(),
    last_sequence: z.int().nonnegative(),
    epoch_start: z.int().nonnegative(),
    epoch_tokens: z.int().nonnegative(),
    checkpoint_count: z.int().nonnegative(),
    last_budget: z.int().nonnegative().optional(),
    last_model: z.string().optional(),
    parent_session_key: z.string().optional(),
  }),
  request: z.object({
    token_budget: z.int().positive().optional(),
    model: z.string().optional(),
    /** Hash of the prompt that the host appended. */
    prompt: hashSchema.optional(),
    available_tools: z.array(z.string()).optional(),
    recall: z.record(z.string(), z.unknown()).optional(),
    recent_raw_turn_count: z.int().positive().optional(),
    host_count: z.int().nonnegative().optional(),
  }),
  messages: z.array(inputMessageSchema),
  /** Ids of the checkpoints that stood, newest first. */
  checkpoints: z.array(z.string()),
  /** Hash of the configuration that decides about calls. */
  settings: hashSchema,
  tokenizer: z.string(),
  standing: z
    .union([
      z.object({
        /** Hash of its parts. */
        parts: hashSchema,
        as_of: z.number(),
        changes_waiting: z.boolean(),
        is_left_to_host: z.boolean(),
      }),
      /** It could not be read. */
      z.object({ failed: z.string(), late: z.boolean() }),
    ])
    .optional(),
  recall: inputRecallSchema.optional(),
});
export type CallInputs = z.infer<typeof callInputsSchema>;

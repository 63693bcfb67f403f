import { z } from 'zod';

export const turnRoleSchema = z.enum(['user', 'assistant', 'system', 'tool']);
export type TurnRole = z.infer<typeof turnRoleSchema>;

export const turnPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_call'), tool_name: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal('tool_result'), tool_name: z.string(), result: z.unknown() }),
  z.object({ type: z.literal('context_ref'), uri: z.string(), abstract: z.string().optional() }),
  z.object({ type: z.literal('meta'), key: z.string(), value: z.unknown() }),
]);
export type TurnPart = z.infer<typeof turnPartSchema>;

const callStatusSchema = z.enum(['success', 'error']);

/**
 * One message that reached or left the model, as it is stored and shown. Derived from the host's original
 * message, which is kept byte for byte beside it.
 */
export const turnEnvelopeSchema = z.object({
  turn_id: z.string(),
  session_id: z.string(),
  /** 1-based position within the session, over all epochs; never reused. */
  sequence: z.int().positive(),
  /** ISO 8601, the host's own clock. */
  timestamp: z.string(),
  role: turnRoleSchema,
  parts: z.array(turnPartSchema),
  used_context_uris: z.array(z.string()),
  used_skills: z.array(
    z.object({
      uri: z.string(),
      input: z.string().optional(),
      output: z.string().optional(),
      success: z.boolean().optional(),
    }),
  ),
  tool_calls: z.array(z.object({ tool_name: z.string(), arguments: z.unknown(), status: callStatusSchema.optional() })),
  tool_results: z.array(z.object({ tool_name: z.string(), result: z.unknown(), status: callStatusSchema.optional() })),
  compaction_marker: z
    .object({ source: z.enum(['raw', 'post_compact']), compact_checkpoint_id: z.string().optional() })
    .optional(),
});
export type TurnEnvelope = z.infer<typeof turnEnvelopeSchema>;

/** A turn as the reading routes return it: the envelope and what the inspector needs beside it. */
export const turnRecordSchema = z.object({
  turn: turnEnvelopeSchema,
  uri: z.string(),
  epoch: z.int().nonnegative(),
  /** SHA-256 (hex) of the host's original message. */
  content_hash: z.string(),
  /** Tokens of the message as sent, wrappers included, uncalibrated tokenizer count. */
  tokens: z.int().nonnegative(),
  preview: z.string(),
  advancement_key: z.string().optional(),
  entry_id: z.string().optional(),
  is_heartbeat: z.boolean(),
  /** Kept in the log, but the host asked not to send it to the model. */
  excluded_from_context: z.boolean(),
  /** The newest checkpoint that covers this turn. */
  checkpoint_id: z.string().optional(),
  /** The host's original message; only when asked for with `raw=true`. */
  raw: z.unknown().optional(),
});
export type TurnRecord = z.infer<typeof turnRecordSchema>;

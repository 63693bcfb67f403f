import { z } from 'zod';
import { compactCheckpointSchema } from '../../../src-shared/model/checkpoint.ts';
import { turnRoleSchema } from '../../../src-shared/model/turn-envelope.ts';
import { messageFormatSchema, type HostMessage } from '../../../src-shared/protocol/host-message.ts';

/**
 * The lines of an exported transcript: one header, then turns in order, the large tool results that they refer to,
 * advancements, checkpoints. Version 1 had no tool results.
 */
export const headerLineSchema = z.object({
  type: z.literal('strata.session'),
  version: z.union([z.literal(1), z.literal(2)]),
  /** Kept where it is free, so that URIs in old messages still lead to their turns. */
  session_uid: z.string().min(1).max(1_000).optional(),
  user_id: z.string().min(1).max(1_000),
  agent_id: z.string().min(1).max(1_000),
  session_key: z.string().max(1_000),
  session_id: z.string().min(1).max(1_000),
  epoch: z.int().nonnegative(),
  exported_at: z.string(),
});
export type HeaderLine = z.infer<typeof headerLineSchema>;

/** The last millisecond that ISO 8601 writes with four digits of year. */
const latestTime = 253_402_300_799_999;

export const turnLineSchema = z.object({
  type: z.literal('turn'),
  turn_id: z.string().min(1),
  sequence: z.int().positive(),
  epoch: z.int().nonnegative(),
  identity: z.string().min(1),
  role: turnRoleSchema,
  format: messageFormatSchema,
  /** Milliseconds since the Unix epoch. */
  timestamp: z.number().min(0).max(latestTime),
  entry_id: z.string().optional(),
  advancement_key: z.string().min(1).optional(),
  is_heartbeat: z.boolean().optional(),
  message: z.custom<HostMessage>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
});
export type TurnLine = z.infer<typeof turnLineSchema>;

/** A large tool result that is stored outside the log, whole: what `strata://tool-result/{content_hash}` stands for. */
export const toolResultLineSchema = z.object({
  type: z.literal('tool_result'),
  /** Hex SHA-256 of `content` as JSON text. */
  content_hash: z.string().regex(/^[0-9a-f]{64}$/, 'Expected 64 hexadecimal digits'),
  /** Of the call that gave it; empty where the host said none. */
  session_key: z.string().max(1_000),
  session_id: z.string().max(1_000),
  tool_call_id: z.string().max(1_000),
  tool_name: z.string().max(1_000),
  /** Milliseconds since the Unix epoch. */
  stored_at: z.number().min(0).max(latestTime),
  /** The parts as the tool gave them, media as base64. */
  content: z.custom<readonly unknown[]>(Array.isArray, { error: 'Expected the list of its parts' }),
});
export type ToolResultLine = z.infer<typeof toolResultLineSchema>;

/** What the host committed under one key; its turns may have been stored before, without a key or under another. */
export const advancementLineSchema = z.object({
  type: z.literal('advancement'),
  key: z.string().min(1),
  payload_hash: z.string().min(1),
  sequences: z.array(z.int().positive()),
});
export type AdvancementLine = z.infer<typeof advancementLineSchema>;

/** Free text of a checkpoint, in characters: more than any answer of a model that is taken. */
const text = z.string().max(4_000_000);
const name = z.string().max(500);
const checkpointId = z.string().min(1).max(200);
const sequences = z.array(z.int().positive()).max(10_000);
const identifiers = z.array(z.string().max(1_000_000)).max(100_000);

/** Fields in the order of `compactCheckpointSchema`, within the bounds of what is ever stored. */
const boundedCheckpointSchema = compactCheckpointSchema.extend({
  checkpoint_id: checkpointId,
  session_id: z.string().max(1_000),
  committed_at: z.iso.datetime({ offset: true }),
  summary_uri: z.string().max(100_000).optional(),
  extracted_memory_uris: z.array(z.string().max(100_000)).max(10_000),
  identifiers_kept: identifiers,
  identifiers_repaired: identifiers.default([]),
  identifiers_lost: identifiers,
  uncovered_sequences: sequences.default([]),
  focus: z.string().max(1_000_000).optional(),
  summariser: name,
  model: name.optional(),
  prompt_version: name.optional(),
  fallback: z.object({ from: name, reason: z.string().max(10_000) }).optional(),
  parent_checkpoint_ids: z
    .array(checkpointId)
    .max(10_000)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'Expected each once' }),
  abstract: text,
  overview: text,
});

const checkpointEndSchema = z.object({
  state: z.enum(['folded', 'replaced', 'dissolved']),
  /** Milliseconds since the Unix epoch. */
  at: z.int().min(0).max(latestTime),
  by: checkpointId.optional(),
});

export const checkpointLineSchema = z.object({
  type: z.literal('checkpoint'),
  checkpoint: boundedCheckpointSchema,
  /** Why it stands no longer; absent while it stands. */
  end: checkpointEndSchema.optional(),
});
export type CheckpointLine = z.infer<typeof checkpointLineSchema>;

/** As it is written: what an earlier version took in without these bounds is no reason to withhold all the rest. */
export const exportedCheckpointSchema = checkpointLineSchema.extend({
  checkpoint: compactCheckpointSchema,
  end: checkpointEndSchema.extend({ by: z.string().optional() }).optional(),
});

export const transcriptLineSchema = z.discriminatedUnion('type', [
  headerLineSchema,
  turnLineSchema,
  toolResultLineSchema,
  advancementLineSchema,
  checkpointLineSchema,
]);
export type TranscriptLine = z.infer<typeof transcriptLineSchema>;

import { z } from 'zod';
import { compactCheckpointSchema } from '../../../src-shared/model/checkpoint.ts';
import { turnRoleSchema } from '../../../src-shared/model/turn-envelope.ts';
import { messageFormatSchema, type HostMessage } from '../../../src-shared/protocol/host-message.ts';

/** The lines of an exported transcript, version 1: one header, then turns in order, then checkpoints. */
export const headerLineSchema = z.object({
  type: z.literal('strata.session'),
  version: z.literal(1),
  user_id: z.string(),
  agent_id: z.string(),
  session_key: z.string(),
  session_id: z.string().min(1),
  epoch: z.int().nonnegative(),
  exported_at: z.string(),
});
export type HeaderLine = z.infer<typeof headerLineSchema>;

export const turnLineSchema = z.object({
  type: z.literal('turn'),
  turn_id: z.string().min(1),
  sequence: z.int().positive(),
  epoch: z.int().nonnegative(),
  identity: z.string().min(1),
  role: turnRoleSchema,
  format: messageFormatSchema,
  /** Milliseconds since the Unix epoch. */
  timestamp: z.number(),
  entry_id: z.string().optional(),
  advancement_key: z.string().optional(),
  is_heartbeat: z.boolean().optional(),
  message: z.custom<HostMessage>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
});
export type TurnLine = z.infer<typeof turnLineSchema>;

export const checkpointLineSchema = z.object({ type: z.literal('checkpoint'), checkpoint: compactCheckpointSchema });

export const transcriptLineSchema = z.discriminatedUnion('type', [
  headerLineSchema,
  turnLineSchema,
  checkpointLineSchema,
]);

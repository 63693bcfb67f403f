import { z } from 'zod';
import { none, sessionIdentityFields } from './common.ts';
import { messageFormatSchema, messageListSchema } from './host-message.ts';
import { defineRoute } from './route.ts';

export const commitTurnRequestSchema = z.object({
  ...sessionIdentityFields,
  /** The host's own key of this turn; the same key again stores nothing. */
  advancement_key: z.string().min(1).max(1_000),
  format: messageFormatSchema,
  messages: messageListSchema.min(1),
  token_budget: z.int().positive().optional(),
  model: z.string().max(500).optional(),
  /** Share of the budget at which this session is compacted in the background; default by configuration; 0: not by it. */
  compact_threshold: z.number().min(0).max(1).optional(),
  is_heartbeat: z.boolean().optional(),
});
export type CommitTurnRequest = z.infer<typeof commitTurnRequestSchema>;

export const commitTurnReplySchema = z.object({
  status: z.enum(['committed', 'duplicate']),
  /** Ids of all turns of this advancement, in order, also of those that were stored before. */
  turn_ids: z.array(z.string()),
  /** How many rows were written by this call. */
  stored: z.int().nonnegative(),
});
export type CommitTurnReply = z.infer<typeof commitTurnReplySchema>;

export const commitTurnRoute = defineRoute({
  name: 'commitTurn',
  method: 'POST',
  path: '/v1/commit-turn',
  summary: 'Store a finished turn, atomically and once per advancement key',
  auth: 'token',
  params: none,
  query: none,
  body: commitTurnRequestSchema,
  reply: commitTurnReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

export const afterTurnRequestSchema = commitTurnRequestSchema.omit({ advancement_key: true });
export type AfterTurnRequest = z.infer<typeof afterTurnRequestSchema>;

export const afterTurnRoute = defineRoute({
  name: 'afterTurn',
  method: 'POST',
  path: '/v1/after-turn',
  summary: 'Store the messages of a turn for hosts without advancement keys; known messages are skipped by identity',
  auth: 'token',
  params: none,
  query: none,
  body: afterTurnRequestSchema,
  reply: commitTurnReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

export const ingestRequestSchema = z.object({
  ...sessionIdentityFields,
  format: messageFormatSchema,
  messages: messageListSchema,
  /** The host's entry ids, one per message (null where it has none). */
  entry_ids: z.array(z.string().max(500).nullable()).optional(),
  /** Opaque transcript cursor to remember once the messages are stored. */
  cursor: z.string().max(4_000).optional(),
  /** False when the host's transcript has more than was taken in (bounded catch-up). */
  complete: z.boolean().optional(),
  is_heartbeat: z.boolean().optional(),
});
export type IngestRequest = z.infer<typeof ingestRequestSchema>;

export const ingestReplySchema = z.object({
  imported: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  turn_ids: z.array(z.string()),
  cursor: z.string().optional(),
});
export type IngestReply = z.infer<typeof ingestReplySchema>;

export const ingestRoute = defineRoute({
  name: 'ingest',
  method: 'POST',
  path: '/v1/ingest',
  summary: 'Take in one or many messages of a session; known messages are skipped by identity',
  auth: 'token',
  params: none,
  query: none,
  body: ingestRequestSchema,
  reply: ingestReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

export const bootstrapRequestSchema = ingestRequestSchema.extend({
  messages: messageListSchema.default([]),
  /**
   * What the host said when it read its transcript from the stored cursor: `reset` means the transcript was
   * rewritten or moved to another branch.
   */
  transcript: z.enum(['page', 'reset', 'missing', 'unavailable']).optional(),
});
export type BootstrapRequest = z.infer<typeof bootstrapRequestSchema>;

export const bootstrapReplySchema = ingestReplySchema.extend({
  session_uid: z.string(),
  epoch: z.int().nonnegative(),
  /** Newest sequence stored for this session, 0 when there is none. */
  last_sequence: z.int().nonnegative(),
});
export type BootstrapReply = z.infer<typeof bootstrapReplySchema>;

export const bootstrapRoute = defineRoute({
  name: 'bootstrap',
  method: 'POST',
  path: '/v1/bootstrap',
  summary: 'Open a session, learn the stored transcript cursor, take in what the store lacks',
  auth: 'token',
  params: none,
  query: none,
  body: bootstrapRequestSchema,
  reply: bootstrapReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

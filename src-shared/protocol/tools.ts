import { z } from 'zod';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const memoryExpandRequestSchema = z.object({
  /** URI of a checkpoint, a session or a turn. */
  uri: z.string().min(1).max(4_000),
  /** Words to look for within the range; without it the range is read from its start. */
  query: z.string().max(2_000).optional(),
  limit: z.int().min(1).max(100).default(6),
  /** Sequence to go on from, out of `next_sequence` of the answer before. */
  from_sequence: z.int().positive().optional(),
  /** The agent's own session; sessions of other users are never opened. */
  user_id: z.string().min(1).max(1_000).optional(),
});
export type MemoryExpandRequest = z.infer<typeof memoryExpandRequestSchema>;

export const memoryExpandReplySchema = z.object({
  archive_uri: z.string(),
  turns: z.array(
    z.object({
      uri: z.string(),
      sequence: z.int(),
      role: z.string(),
      timestamp: z.string(),
      text: z.string(),
      tokens: z.int(),
      truncated: z.boolean(),
    }),
  ),
  read_uris: z.array(z.string()),
  total: z.int().nonnegative(),
  next_sequence: z.int().positive().optional(),
});
export type MemoryExpandReply = z.infer<typeof memoryExpandReplySchema>;

export const memoryExpandRoute = defineRoute({
  name: 'memoryExpand',
  method: 'POST',
  path: '/v1/tools/memory_expand',
  summary: 'From a summary back to the raw turns it stands for',
  auth: 'token',
  params: none,
  query: none,
  body: memoryExpandRequestSchema,
  reply: memoryExpandReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

import { z } from 'zod';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/**
 * Tokens of the texts of one answer. Some 12,000 characters: below the 16,000 at which OpenClaw cuts a tool's answer for
 * models with small windows.
 */
export const defaultExpandTokens = 3_000;

export const memoryExpandRequestSchema = z.object({
  /** URI of a checkpoint, a session, a turn, a tool result or a memory page. */
  uri: z.string().min(1).max(4_000),
  /** Words to look for; the best matches come first. Without it the range is read from its start. */
  query: z.string().max(2_000).optional(),
  /** Most turns, or passages of one text, in one answer. */
  limit: z.int().min(1).max(100).default(6),
  /** A part of one turn, tool result or page, from 1, ends included: `lines 10-80` or `characters 1-4000`. */
  range: z
    .string()
    .regex(/^(?:lines|characters) [1-9]\d{0,11}-[1-9]\d{0,11}$/, {
      error: 'Expected a range such as "lines 10-80" or "characters 1-4000"',
    })
    .optional(),
  max_tokens: z.int().min(100).max(100_000).default(defaultExpandTokens),
  /** `next_cursor` of the answer before, with the same uri, query and range. */
  cursor: z.string().max(500).optional(),
  /** Sequence of the turn to begin at. */
  from_sequence: z.int().positive().optional(),
  /** The agent's own user; what belongs to others is never opened. */
  user_id: z.string().min(1).max(1_000).optional(),
  /** Who asks: decides which memory pages may be read. Without a key it is the user at the machine. */
  session_key: z.string().max(1_000).optional(),
  agent_id: z.string().min(1).max(1_000).optional(),
});
export type MemoryExpandRequest = z.infer<typeof memoryExpandRequestSchema>;

const expandedTurnSchema = z.object({
  uri: z.string(),
  sequence: z.int(),
  role: z.string(),
  timestamp: z.string(),
  text: z.string(),
  tokens: z.int(),
  /** The text is a part of what the turn says. */
  truncated: z.boolean(),
});
export type ExpandedTurn = z.infer<typeof expandedTurnSchema>;

export const memoryExpandReplySchema = z.object({
  archive_uri: z.string(),
  /** What can be expanded itself: of a session its checkpoints, of a condensed checkpoint those it was made of. */
  archive_uris: z.array(z.string()),
  parts: z.array(
    z.object({
      uri: z.string(),
      abstract: z.string(),
      start_sequence: z.int(),
      end_sequence: z.int(),
      committed_at: z.string(),
    }),
  ),
  /** Matching turns; with a query the best first, else in their order. */
  turns: z.array(expandedTurnSchema),
  /** What is known of a tool result. */
  result: z
    .object({
      tool_name: z.string(),
      stored_at: z.string(),
      /** `json`, `table`, `log`, `diff`, `code` or `plain`; of very long texts only the synopsis says it. */
      kind: z.string().optional(),
      characters: z.int().nonnegative(),
      lines: z.int().nonnegative(),
      images: z.int().nonnegative(),
    })
    .optional(),
  /** What is known of a memory page. */
  page: z
    .object({ title: z.string(), kind: z.string(), status: z.string(), version: z.int(), updated_at: z.string() })
    .optional(),
  /** Of a tool result or a page: with a query the best passages first, else the text as it runs. Lines and characters from 1. */
  passages: z.array(
    z.object({
      start_line: z.int(),
      end_line: z.int(),
      start_character: z.int(),
      end_character: z.int(),
      text: z.string(),
    }),
  ),
  /** What can be read whole by its own URI. */
  read_uris: z.array(z.string()),
  /** Turns of the range; of a single text its lines. */
  total: z.int().nonnegative(),
  /** Tokens of the texts in this answer. */
  tokens: z.int().nonnegative(),
  /** Where a range that is read in its order goes on. */
  next_sequence: z.int().positive().optional(),
  /** Ask again with it for more; absent at the end. */
  next_cursor: z.string().optional(),
});
export type MemoryExpandReply = z.infer<typeof memoryExpandReplySchema>;

export const memoryExpandRoute = defineRoute({
  name: 'memoryExpand',
  method: 'POST',
  path: '/v1/tools/memory_expand',
  summary:
    'From a summary, a synopsis or a memory back to the turns, results and pages behind it, by query, range or page',
  auth: 'token',
  params: none,
  query: none,
  body: memoryExpandRequestSchema,
  reply: memoryExpandReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

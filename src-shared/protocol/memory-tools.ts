import { z } from 'zod';
import { recallResultSchema } from '../model/recall.ts';
import { memoryOperationSchema } from '../model/memory-operation.ts';
import { none, sessionIdentityFields } from './common.ts';
import { forgetPageReplySchema } from './pages.ts';
import { defineRoute } from './route.ts';

/** Who asks. Without a session the tool acts for the user at the machine. */
const callerFields = {
  session_id: sessionIdentityFields.session_id.optional(),
  session_key: sessionIdentityFields.session_key,
  agent_id: sessionIdentityFields.agent_id,
  user_id: sessionIdentityFields.user_id,
};

export const memoryRecallRequestSchema = z.object({
  ...callerFields,
  query: z.string().min(1).max(10_000),
  limit: z.int().min(1).max(50).default(6),
  max_tokens: z.int().min(50).max(50_000).default(2_000),
  kinds: z.array(z.string().max(100)).max(100).optional(),
  labels: z.array(z.string().max(200)).max(100).optional(),
});
export type MemoryRecallRequest = z.infer<typeof memoryRecallRequestSchema>;

export const memoryRecallReplySchema = z.object({
  /** What the model reads: each result with its URI, or why there is none. */
  text: z.string(),
  result: recallResultSchema,
});
export type MemoryRecallReply = z.infer<typeof memoryRecallReplySchema>;

export const memoryRecallRoute = defineRoute({
  name: 'memoryRecall',
  method: 'POST',
  path: '/v1/tools/memory_recall',
  summary: 'What memory holds about a question, for an agent',
  auth: 'token',
  params: none,
  query: none,
  body: memoryRecallRequestSchema,
  reply: memoryRecallReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const memoryStoreRequestSchema = z.object({
  ...callerFields,
  /** What to remember: one fact, preference, decision or rule, or several sentences of them. */
  text: z.string().min(1).max(100_000),
  kind: z.string().max(100).optional(),
  title: z.string().max(1_000).optional(),
  tags: z.array(z.string().max(1_000)).max(100).optional(),
  labels: z.array(z.string().max(200)).max(100).optional(),
  visibility: z.enum(['private', 'shared']).optional(),
});
export type MemoryStoreRequest = z.infer<typeof memoryStoreRequestSchema>;

/** Honest: `stored` is on disk when this is answered, and everything else says why it is not. */
export const memoryStoreReplySchema = z.object({
  text: z.string(),
  stored: z.array(
    z.object({ uri: z.string(), path: z.string(), version: z.int().positive(), operation_id: z.string() }),
  ),
  operations: z.array(memoryOperationSchema),
});
export type MemoryStoreReply = z.infer<typeof memoryStoreReplySchema>;

export const memoryStoreRoute = defineRoute({
  name: 'memoryStore',
  method: 'POST',
  path: '/v1/tools/memory_store',
  summary: 'Remember something, after the gates and the judgement against what is known',
  auth: 'token',
  params: none,
  query: none,
  body: memoryStoreRequestSchema,
  reply: memoryStoreReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const memoryForgetRequestSchema = z.object({
  ...callerFields,
  /** URI of the page, or words that find it; words that find several are answered with them. */
  uri: z.string().max(4_000).optional(),
  query: z.string().max(10_000).optional(),
  reason: z.string().max(1_000).optional(),
  mode: z.enum(['retire', 'hard']).default('retire'),
  confirm: z.string().max(4_000).optional(),
});
export type MemoryForgetRequest = z.infer<typeof memoryForgetRequestSchema>;

export const memoryForgetReplySchema = z.object({
  text: z.string(),
  forgotten: z.array(forgetPageReplySchema),
  operations: z.array(memoryOperationSchema),
  /** What the words could have meant, when they did not mean one page. */
  choices: z.array(z.object({ uri: z.string(), title: z.string(), abstract: z.string() })),
});
export type MemoryForgetReply = z.infer<typeof memoryForgetReplySchema>;

export const memoryForgetRoute = defineRoute({
  name: 'memoryForget',
  method: 'POST',
  path: '/v1/tools/memory_forget',
  summary: 'Let a memory stand no longer (can be undone), or remove it for good after confirmation',
  auth: 'token',
  params: none,
  query: none,
  body: memoryForgetRequestSchema,
  reply: memoryForgetReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

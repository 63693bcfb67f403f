import { z } from 'zod';
import { memoryOperationSchema } from '../model/memory-operation.ts';
import {
  memoryPageSchema,
  pageAuthorSchema,
  pageHeadSchema,
  pageStatusSchema,
  pageVersionSchema,
} from '../model/memory-page.ts';
import { none, pageOf, pageQuerySchema } from './common.ts';
import { defineRoute } from './route.ts';

const uriParams = z.object({ uri: z.string().min(1).max(4_000) });

export const pagesQuerySchema = pageQuerySchema.extend({
  kind: z.string().max(100).optional(),
  status: pageStatusSchema.optional(),
  user_id: z.string().max(1_000).optional(),
  agent_id: z.string().max(1_000).optional(),
  /** Pages whose path begins with it. */
  prefix: z.string().max(1_000).optional(),
});

export const pagesRoute = defineRoute({
  name: 'pages',
  method: 'GET',
  path: '/v1/pages',
  summary: 'Memory pages and other Markdown files of the workspace, by path',
  auth: 'token',
  params: none,
  query: pagesQuerySchema,
  body: none,
  reply: pageOf(pageHeadSchema),
  limit: 'ordinary',
  replyKind: 'json',
});

/** Tokens of a page by our tokenizer; a call takes a page as a whole, as its truth, or in parts. */
export const pageTokensSchema = z.object({
  counter: z.literal('tokenizer'),
  whole: z.int().nonnegative(),
  truth: z.int().nonnegative(),
  timeline: z.int().nonnegative(),
  abstract: z.int().nonnegative(),
  overview: z.int().nonnegative(),
  /** From one heading to the next, whatever their levels; what stands before the first one has an empty heading. */
  sections: z.array(
    z.object({
      heading: z.string(),
      /** 1 to 6; 0 before the first heading. */
      level: z.int().min(0).max(6),
      /** First line in the file, from 1. */
      line: z.int().positive(),
      tokens: z.int().nonnegative(),
    }),
  ),
});
export type PageTokens = z.infer<typeof pageTokensSchema>;

export const pageReplySchema = memoryPageSchema.extend({
  tokens: pageTokensSchema.optional(),
  /** Pages that point at it, with the relation. */
  backlinks: z.array(z.object({ from: z.string(), type: z.string(), title: z.string() })),
});
export type PageReply = z.infer<typeof pageReplySchema>;

export const pageRoute = defineRoute({
  name: 'page',
  method: 'GET',
  path: '/v1/pages/{uri}',
  summary: 'One page with its text',
  auth: 'token',
  params: uriParams,
  query: z.object({ version: z.coerce.number().int().positive().optional() }),
  body: none,
  reply: pageReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

/** What a new page or a change of one is made of. Either the whole file, or fields. */
export const pageWriteSchema = z.object({
  /** The whole file, front matter included. */
  content: z.string().max(8_000_000).optional(),
  kind: z.string().max(100).optional(),
  title: z.string().max(1_000).optional(),
  truth: z.string().max(8_000_000).optional(),
  aliases: z.array(z.string().max(1_000)).max(1_000).optional(),
  tags: z.array(z.string().max(1_000)).max(1_000).optional(),
  scope: z.array(z.string().max(200)).max(100).optional(),
  visibility: z.enum(['private', 'shared']).optional(),
  status: pageStatusSchema.optional(),
  pinned: z.boolean().optional(),
  /** Version that the change is based on; also taken from `If-Match`. 0 or absent: the page must be new. */
  base_version: z.int().nonnegative().optional(),
  /** Hash that the change is based on, where the file itself was read. */
  base_hash: z.string().optional(),
  author: pageAuthorSchema.default('user'),
  reason: z.string().max(1_000).optional(),
});
export type PageWrite = z.infer<typeof pageWriteSchema>;

export const savePageRoute = defineRoute({
  name: 'savePage',
  method: 'PUT',
  path: '/v1/pages/{uri}',
  summary: 'Write a page; refused with page_conflict when somebody else wrote meanwhile',
  auth: 'token',
  params: uriParams,
  query: none,
  body: pageWriteSchema,
  reply: memoryPageSchema,
  limit: 'messages',
  replyKind: 'json',
});

/** How far forgetting goes. `hard` leaves nothing in files, index, write-ahead log and history, and must be confirmed. */
export const forgetPageSchema = z.object({
  mode: z.enum(['retire', 'hard']).default('retire'),
  /** The page's title or URI, spelled out, for `hard`. */
  confirm: z.string().max(4_000).optional(),
  base_version: z.int().nonnegative().optional(),
  reason: z.string().max(1_000).optional(),
});

export const forgetPageReplySchema = z.object({
  uri: z.string(),
  mode: z.enum(['retire', 'hard']),
  /** What was removed or changed: files, versions, index rows, operations; in words with counts. */
  removed: z.array(z.object({ what: z.string(), count: z.int().nonnegative() })),
  /** What still holds it and when that goes: backups, traces of calls, the log of turns. */
  remains: z.array(z.object({ what: z.string(), until: z.string() })),
});

export const deletePageRoute = defineRoute({
  name: 'deletePage',
  method: 'DELETE',
  path: '/v1/pages/{uri}',
  summary: 'Retire a page, or remove it for good after confirmation',
  auth: 'token',
  params: uriParams,
  query: none,
  body: forgetPageSchema,
  reply: forgetPageReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const pageHistoryRoute = defineRoute({
  name: 'pageHistory',
  method: 'GET',
  path: '/v1/pages/{uri}/history',
  summary: 'All versions of a page, newest first, with their authors',
  auth: 'token',
  params: uriParams,
  query: pageQuerySchema,
  body: none,
  reply: pageOf(pageVersionSchema),
  limit: 'ordinary',
  replyKind: 'json',
});

export const restorePageRoute = defineRoute({
  name: 'restorePage',
  method: 'POST',
  path: '/v1/pages/{uri}/restore',
  summary: 'Write an earlier version of a page anew, byte for byte',
  auth: 'token',
  params: uriParams,
  query: none,
  body: z.object({ version: z.int().positive(), base_version: z.int().nonnegative().optional() }),
  reply: memoryPageSchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const renamePageRoute = defineRoute({
  name: 'renamePage',
  method: 'POST',
  path: '/v1/pages/{uri}/rename',
  summary: 'Move a page to another address; links to it are kept',
  auth: 'token',
  params: uriParams,
  query: none,
  body: z.object({ to: z.string().min(1).max(4_000), base_version: z.int().nonnegative().optional() }),
  reply: memoryPageSchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const reindexRoute = defineRoute({
  name: 'reindex',
  method: 'POST',
  path: '/v1/pages/reindex',
  summary: 'Build the index anew from the files, as a job',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({}),
  reply: z.object({ job_id: z.string() }),
  limit: 'ordinary',
  replyKind: 'json',
});

export const retryOutboxRoute = defineRoute({
  name: 'retryOutbox',
  method: 'POST',
  path: '/v1/memory/outbox/retry',
  summary: 'Try pages again that could not be indexed and had been given up',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({}),
  /** How many pages are tried again. */
  reply: z.object({ revived: z.int().nonnegative() }),
  limit: 'ordinary',
  replyKind: 'json',
});

export const memoryOperationsRoute = defineRoute({
  name: 'memoryOperations',
  method: 'GET',
  path: '/v1/memory/operations',
  summary: 'What was judged about memory, newest first',
  auth: 'token',
  params: none,
  query: pageQuerySchema.extend({
    uri: z.string().max(4_000).optional(),
    session_uid: z.string().max(1_000).optional(),
    action: memoryOperationSchema.shape.action.optional(),
  }),
  body: none,
  reply: pageOf(memoryOperationSchema),
  limit: 'ordinary',
  replyKind: 'json',
});

export const undoMemoryOperationRoute = defineRoute({
  name: 'undoMemoryOperation',
  method: 'POST',
  path: '/v1/memory/operations/{id}/undo',
  summary: 'Put the pages back as they were before one operation',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(200) }),
  query: none,
  body: z.object({}),
  reply: memoryOperationSchema,
  limit: 'ordinary',
  replyKind: 'json',
});

import { z } from 'zod';
import { memoryOperationSchema } from '../model/memory-operation.ts';
import { decisionActionSchema, decisionReasonSchema } from '../model/trace.ts';
import { pageOf, pageQuerySchema, none } from './common.ts';
import { defineRoute } from './route.ts';

/** One call that had a page among what it could send. */
export const pageUseSchema = z.object({
  call_id: z.string(),
  session_uid: z.string(),
  session_id: z.string(),
  at: z.string(),
  /** `standing`: profile, MEMORY.md or a prompt layer was made of it; `recalled`: the search found it. */
  how: z.enum(['standing', 'recalled']),
  /** Item of the trace that it is part of. */
  item: z.string(),
  action: decisionActionSchema,
  reason: decisionReasonSchema,
  /** Tokens that it took in the call; of a standing part that several pages make up, those of the whole part. */
  tokens: z.int().nonnegative(),
  /** Pages that share these tokens. */
  shared_by: z.int().positive(),
  score: z.number().optional(),
  threshold: z.number().optional(),
});
export type PageUse = z.infer<typeof pageUseSchema>;

export const pageUsesReplySchema = pageOf(pageUseSchema).extend({
  /** Calls by what became of the page in them. */
  counts: z.object({ included: z.int().nonnegative(), trimmed: z.int().nonnegative(), dropped: z.int().nonnegative() }),
  /** Tokens that it took in the newest call it was sent in; undefined: it was in none that is on record. */
  newest_cost: z.int().nonnegative().optional(),
  /** Judgements that wrote it or were about it, newest first; 50 at most. */
  operations: z.array(memoryOperationSchema),
  /** Checkpoints whose turns it was written from, by those operations. */
  checkpoints: z.array(
    z.object({ checkpoint_id: z.string(), session_uid: z.string(), operations: z.int().positive() }),
  ),
  /** Calls before this one were not looked through yet: a job does that after an update. */
  pending_calls: z.int().nonnegative(),
});
export type PageUsesReply = z.infer<typeof pageUsesReplySchema>;

export const pageUsesRoute = defineRoute({
  name: 'pageUses',
  method: 'GET',
  path: '/v1/pages/{uri}/uses',
  summary: 'Calls that a page was part of or left out of, newest first, and what wrote it',
  auth: 'token',
  params: z.object({ uri: z.string().min(1).max(4_000) }),
  query: pageQuerySchema.extend({ action: decisionActionSchema.optional() }),
  body: none,
  reply: pageUsesReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

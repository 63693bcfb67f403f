import { z } from 'zod';
import { checkpointStateSchema } from '../model/checkpoint.ts';
import { decisionActionSchema, decisionReasonSchema } from '../model/trace.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const whereRequestSchema = z.strictObject({
  /** What is looked for: words, or with `exact` the very text. */
  query: z.string().min(1).max(2_000),
  exact: z.boolean().default(false),
  session_uid: z.string().min(1).max(1_000).optional(),
  /** Hits that are followed. */
  limit: z.int().min(1).max(50).default(10),
  /** Newest calls of each hit's session whose windows are looked through. */
  calls: z.int().min(1).max(200).default(50),
});
export type WhereRequest = z.infer<typeof whereRequestSchema>;

/** A step on the way of something that was said: where it is, and what became of it there. */
export const whereStepSchema = z.discriminatedUnion('stage', [
  /** It was stored. */
  z.object({
    stage: z.literal('log'),
    state: z.literal('kept'),
    uri: z.string(),
    at: z.string(),
    message: z.string(),
  }),
  /** A checkpoint that stands, or stood, for its turn. `lost`: neither the words nor the identifiers are in its overview. */
  z.object({
    stage: z.literal('checkpoint'),
    state: z.enum(['kept', 'partly', 'lost']),
    uri: z.string(),
    checkpoint_id: z.string(),
    at: z.string(),
    checkpoint_state: checkpointStateSchema,
    /** Words looked for that the overview has, and those it lacks. */
    words_kept: z.array(z.string()),
    words_lost: z.array(z.string()),
    identifiers_kept: z.array(z.string()),
    identifiers_lost: z.array(z.string()),
    message: z.string(),
  }),
  /** A memory page that was made from it, or says the same. */
  z.object({
    stage: z.literal('page'),
    state: z.enum(['kept', 'inactive', 'gone']),
    uri: z.string(),
    title: z.string(),
    /** `source`: the page names the turn; `words`: it has the words. */
    by: z.enum(['source', 'words']),
    message: z.string(),
  }),
  /** What the newest calls did with it, newest first; calls of the same fate in a row are one step. */
  z.object({
    stage: z.literal('window'),
    state: z.enum(['kept', 'trimmed', 'lost', 'absent']),
    call_id: z.string(),
    at: z.string(),
    /** Calls in a row with this fate; `call_id` is the newest of them. */
    calls: z.int().positive(),
    item: z.string().optional(),
    /** As the turn itself, in a summary, or as recalled or standing memory. */
    as: z.enum(['turn', 'summary', 'memory', 'nothing']),
    action: decisionActionSchema.optional(),
    reason: decisionReasonSchema.optional(),
    message: z.string(),
  }),
]);
export type WhereStep = z.infer<typeof whereStepSchema>;

export const whereHitSchema = z.object({
  /** The turn, or the page where no turn says it. */
  uri: z.string(),
  source: z.enum(['turn', 'page']),
  session_uid: z.string().optional(),
  sequence: z.int().positive().optional(),
  role: z.string(),
  at: z.string(),
  /** The place where it is said, some words around it. */
  snippet: z.string(),
  /** Log, checkpoints, pages, windows. */
  steps: z.array(whereStepSchema),
  /** Index in `steps` of the first step at which it was lost; undefined: it is still there. */
  lost_at: z.int().nonnegative().optional(),
  /** The newest call looked through that had it in its window in any form. */
  last_seen: z
    .object({ call_id: z.string(), at: z.string(), item: z.string(), as: z.enum(['turn', 'summary', 'memory']) })
    .optional(),
  /** In one sentence: where it is, or where it went. */
  verdict: z.string(),
});
export type WhereHit = z.infer<typeof whereHitSchema>;

export const whereReplySchema = z.object({
  query: z.string(),
  terms: z.array(z.string()),
  hits: z.array(whereHitSchema),
  looked_at: z.object({
    turns: z.int().nonnegative(),
    checkpoints: z.int().nonnegative(),
    pages: z.int().nonnegative(),
    calls: z.int().nonnegative(),
  }),
  /** What was not looked at, in sentences with counts; empty: everything was. */
  limits: z.array(z.string()),
  duration_ms: z.number().nonnegative(),
});
export type WhereReply = z.infer<typeof whereReplySchema>;

export const whereRoute = defineRoute({
  name: 'where',
  method: 'POST',
  path: '/v1/where',
  summary: 'Where did it go? One search over the log, summaries, memory and windows, with the step where it was lost',
  auth: 'token',
  params: none,
  query: none,
  body: whereRequestSchema,
  reply: whereReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

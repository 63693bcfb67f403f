import { z } from 'zod';

/** What is asked for, found by rules: it decides where to look and what weighs more. */
export const recallIntentSchema = z.enum([
  'general',
  'preference',
  'procedure',
  'document',
  'event',
  'entity',
  'relation',
]);
export type RecallIntent = z.infer<typeof recallIntentSchema>;

/** Where a candidate comes from: a memory page, a stored message, or a summary of older ones. */
export const recallSourceSchema = z.enum(['page', 'turn', 'checkpoint']);
export type RecallSource = z.infer<typeof recallSourceSchema>;

/** Why a candidate is in the answer or not. */
export const recallReasonSchema = z.enum([
  'packed',
  'pinned',
  'below_threshold',
  'duplicate',
  'superseded',
  'over_budget',
  'over_limit',
  'already_in_context',
  'abstained',
]);
export type RecallReason = z.infer<typeof recallReasonSchema>;

export const recallCandidateSchema = z.object({
  uri: z.string(),
  source: recallSourceSchema,
  /** 0 abstract, 1 overview, 2 full text: the level that matched best. */
  level: z.int().min(0).max(2),
  kind: z.string(),
  title: z.string(),
  /** What is put into the context when it is packed. */
  text: z.string(),
  tokens: z.int().nonnegative(),
  /** 0 to 1, comparable between queries: 1 is certain. */
  score: z.number(),
  /** Parts of the score by name (`lexical`, `vector`, `alias`, `title`, `link`, `parent`, `neighbour`, `hotness` …); they add up to it. */
  parts: z.record(z.string(), z.number()),
  packed: z.boolean(),
  reason: recallReasonSchema,
  /** URI of the candidate that says the same, for `duplicate` and `superseded`. */
  because_of: z.string().optional(),
  /** Threshold or limit that decided, in the reason's own unit. */
  threshold: z.number().optional(),
  at: z.string().optional(),
  session_uid: z.string().optional(),
  role: z.string().optional(),
});
export type RecallCandidate = z.infer<typeof recallCandidateSchema>;

/** One search of memory, with everything that was decided about it. */
export const recallResultSchema = z.object({
  query: z.string(),
  intent: recallIntentSchema,
  /** A question about a relation, as it was understood. */
  relation: z.object({ types: z.array(z.string()), anchors: z.array(z.string()), hops: z.int().positive() }).optional(),
  terms: z.array(z.string()),
  /** Best first; the packed ones and the best of the others. */
  candidates: z.array(recallCandidateSchema),
  /** Candidates that were looked at, also those beyond the ones listed. */
  considered: z.int().nonnegative(),
  /** Nothing was good enough to answer with. */
  abstained: z.boolean(),
  tokens: z.int().nonnegative(),
  from_cache: z.boolean(),
  /** A part could not be used (the embedder, an index that is behind); what was found stands. */
  degraded: z.array(z.object({ code: z.string(), message: z.string() })),
  duration_ms: z.number().nonnegative(),
});
export type RecallResult = z.infer<typeof recallResultSchema>;

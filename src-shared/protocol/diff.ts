import { z } from 'zod';
import { decisionActionSchema, decisionReasonSchema, segmentKindSchema } from '../model/trace.ts';

/** One item as one of the two calls has it. */
export const diffSideSchema = z.object({
  item: z.string(),
  action: decisionActionSchema,
  reason: decisionReasonSchema,
  /** Tokens before and after the decision. */
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  threshold: z.number().optional(),
  scores: z.record(z.string(), z.number()),
  /** Index of its first message in the list that was sent; undefined: in no message of it. */
  position: z.int().nonnegative().optional(),
  content_hash: z.string().optional(),
  /** The call has it only as a part of a range of this many turns. */
  within: z.int().min(2).optional(),
});
export type DiffSide = z.infer<typeof diffSideSchema>;

export const diffEntrySchema = z.object({
  /** Of the newer call, else of the older one. */
  item: z.string(),
  kind: segmentKindSchema,
  preview: z.string(),
  uri: z.string().optional(),
  status: z.enum(['same', 'moved', 'changed', 'added', 'removed']),
  /** What became of it in the window that was sent. `stays`, `out`: sent in both, in neither. */
  window: z.enum(['entered', 'left', 'stays', 'out']),
  /** What differs: for `changed` and `moved`. */
  fields: z.array(z.enum(['action', 'reason', 'tokens', 'content', 'threshold', 'scores', 'position'])),
  /** Tokens sent, after minus before. */
  tokens_delta: z.int(),
  before: diffSideSchema.optional(),
  after: diffSideSchema.optional(),
});
export type DiffEntry = z.infer<typeof diffEntrySchema>;

/** How one call differs from another; made by `diffCalls` of two traces alone. */
export const callDiffSchema = z.object({
  /** In the order of the newer call's decisions; what only the older one has comes last. */
  entries: z.array(diffEntrySchema),
  counts: z.object({
    same: z.int(),
    moved: z.int(),
    changed: z.int(),
    added: z.int(),
    removed: z.int(),
    entered: z.int(),
    left: z.int(),
  }),
  /** Tokens sent per kind; `delta` is signed. */
  kinds: z.array(
    z.object({ kind: segmentKindSchema, before: z.int().nonnegative(), after: z.int().nonnegative(), delta: z.int() }),
  ),
  tokens: z.object({ before: z.int(), after: z.int(), delta: z.int() }),
  /** The two lists as a provider's prompt cache sees them. */
  prefix: z.object({
    /** Messages that are the same from the start on. */
    messages: z.int().nonnegative(),
    /** Tokens up to there, what stands before the list included. */
    tokens: z.int().nonnegative(),
    /** Tokens behind it: nothing of these can come from the cache. */
    tokens_behind_before: z.int().nonnegative(),
    tokens_behind_after: z.int().nonnegative(),
    /** The whole list is the same. */
    identical: z.boolean(),
    /** Where they part: item of each list, undefined at its end. `system`: what stands before the list differs. */
    at: z.enum(['system', 'message', 'end', 'nowhere']),
    item_before: z.string().optional(),
    item_after: z.string().optional(),
  }),
  /** What the calls were made with, where it differs: `token_budget`, `strategy`, `model`, `calibration.ratio` … */
  inputs: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type CallDiff = z.infer<typeof callDiffSchema>;

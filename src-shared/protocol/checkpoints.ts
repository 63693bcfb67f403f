import { z } from 'zod';
import { checkpointRecordSchema, identifierPolicySchema } from '../model/checkpoint.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

const idParams = z.object({ id: z.string().min(1).max(200) });
const shared = { params: idParams, query: none, auth: 'token', limit: 'ordinary', replyKind: 'json' } as const;

/** What the context is with a change to its checkpoints, and what it was without (calibrated tokens). */
export const standingChangeSchema = z.object({
  /** False: this was a preview, and nothing was changed. */
  changed: z.boolean(),
  tokens_before: z.int().nonnegative(),
  tokens_after: z.int().nonnegative(),
  /** Budget of the session's newest call; a context beyond it loses its oldest turns. */
  token_budget: z.int().nonnegative(),
  /** Turns that are raw again with it. */
  raw_turns: z.int().nonnegative(),
  /** Checkpoints that stand again with it, and those that stand no longer. */
  standing_again: z.array(z.string()),
  standing_no_longer: z.array(z.string()),
});
export type StandingChange = z.infer<typeof standingChangeSchema>;

export const checkpointRoute = defineRoute({
  ...shared,
  name: 'checkpoint',
  method: 'GET',
  path: '/v1/checkpoints/{id}',
  summary: 'One checkpoint, the session it belongs to, and the checkpoints it was made of',
  body: none,
  reply: z.object({
    checkpoint: checkpointRecordSchema,
    session_uid: z.string(),
    /** Those of `parent_checkpoint_ids`, oldest first. */
    parents: z.array(checkpointRecordSchema),
  }),
});

const previewBody = z.object({
  /** True: only say what would come of it. */
  preview: z.boolean().default(false),
});

export const dissolveRoute = defineRoute({
  ...shared,
  name: 'dissolveCheckpoint',
  method: 'POST',
  path: '/v1/checkpoints/{id}/dissolve',
  summary: 'Undo a checkpoint: its turns are raw again, or what it was made of stands again',
  body: previewBody,
  reply: standingChangeSchema,
});

export const restoreRoute = defineRoute({
  ...shared,
  name: 'restoreCheckpoint',
  method: 'POST',
  path: '/v1/checkpoints/{id}/restore',
  summary: 'Let a dissolved or replaced checkpoint stand again',
  body: previewBody,
  reply: standingChangeSchema,
});

export const rerunRoute = defineRoute({
  ...shared,
  name: 'rerunCheckpoint',
  method: 'POST',
  path: '/v1/checkpoints/{id}/rerun',
  summary: 'Summarise the same turns anew, with another summariser, policy or focus; the earlier summary is kept',
  body: previewBody.extend({
    summariser: z.enum(['extractive', 'openai-compatible']).optional(),
    identifier_policy: identifierPolicySchema.optional(),
    focus: z.string().max(10_000).optional(),
  }),
  /** The new checkpoint, in the place of the earlier one unless this was a preview. */
  reply: z.object({ changed: z.boolean(), checkpoint: checkpointRecordSchema }),
});

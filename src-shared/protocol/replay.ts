import { z } from 'zod';
import { assembleTraceSchema } from '../model/trace.ts';
import { none } from './common.ts';
import { callDiffSchema } from './diff.ts';
import { defineRoute } from './route.ts';

const idParams = z.object({ id: z.string().min(1).max(200) });

/** Values of the configuration that decide about a call; what is left out is as it was recorded. */
export const replaySettingsSchema = z.strictObject({
  assemble: z
    .strictObject({
      recent_raw_turn_count: z.int().min(1).max(10_000),
      summary_budget_share: z.number().min(0).max(1),
      standing_instructions: z.string().max(20_000),
    })
    .partial()
    .optional(),
  recall: z
    .strictObject({
      enabled: z.boolean(),
      form: z.enum(['tool_pair', 'text']),
      limit: z.int().min(1).max(50),
      budget_share: z.number().min(0).max(0.5),
      max_tokens: z.int().min(0).max(50_000),
      min_score: z.number().min(0).max(1),
    })
    .partial()
    .optional(),
  tool_results: z
    .strictObject({
      threshold_characters: z.int().min(1_000).max(10_000_000),
      synopsis_characters: z.int().min(200).max(100_000),
    })
    .partial()
    .optional(),
});
export type ReplaySettings = z.infer<typeof replaySettingsSchema>;

/** What is to be otherwise than it was. Nothing: the call as it was. */
export const replayChangesSchema = z.strictObject({
  token_budget: z.int().min(1).max(10_000_000).optional(),
  strategy: z.string().min(1).max(200).optional(),
  /** Another model has another calibration, that of today. */
  model: z.string().min(1).max(500).optional(),
  settings: replaySettingsSchema.optional(),
  /** Items of the trace, or URIs, that are sent whatever a strategy says, and those that are not there. */
  pins: z.array(z.string().min(1).max(4_000)).max(200).default([]),
  exclude: z.array(z.string().min(1).max(4_000)).max(200).default([]),
});
export type ReplayChanges = z.infer<typeof replayChangesSchema>;

/** Why a replay is not what the call was, or what it could not do: a code, and the sentence for people. */
export const replayNoteSchema = z.object({
  code: z.enum([
    'inputs_not_recorded',
    'turns_of_host_unknown',
    'prompt_not_recorded',
    'settings_of_today',
    'standing_of_today',
    'recall_of_today',
    'checkpoints_from_trace',
    'calibration_of_today',
    'strategy_of_today',
    'other_engine_version',
    'body_gone',
    'recall_texts_gone',
    'output_differs',
    'degraded_call',
    'not_a_candidate',
    'pin_refused',
  ]),
  message: z.string(),
  /** The item it is about. */
  item: z.string().optional(),
});
export type ReplayNote = z.infer<typeof replayNoteSchema>;

export const replayReplySchema = z.object({
  /** As if the call had been recorded; it is not. */
  trace: assembleTraceSchema,
  /** Against the recorded call. */
  diff: callDiffSchema,
  /** The call run again as it was gives the recorded list byte for byte; else `notes` says why. */
  exact: z.boolean(),
  notes: z.array(replayNoteSchema),
  /** Whether anything was to be otherwise. */
  changed: z.boolean(),
  duration_ms: z.number().nonnegative(),
});
export type ReplayReply = z.infer<typeof replayReplySchema>;

export const replayRoute = defineRoute({
  name: 'replay',
  method: 'POST',
  path: '/v1/calls/{id}/replay',
  summary: 'Run one assemble call again, as it was or with changes, without leaving a trace anywhere',
  auth: 'token',
  params: idParams,
  query: none,
  body: replayChangesSchema,
  reply: replayReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const minimalBudgetReplySchema = z.object({
  item: z.string(),
  /** `found`: with `token_budget` it is sent, with one token less it is not. `none`: no budget sends it. `sent`: it was. */
  state: z.enum(['sent', 'found', 'none']),
  recorded_budget: z.int().nonnegative(),
  token_budget: z.int().positive().optional(),
  /** Trimmed or as a whole at that budget. */
  action: z.enum(['included', 'trimmed']).optional(),
  /** Why not, for `none`; code of the decision, and the sentence. */
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Budgets that were tried, in order of the budget. */
  tries: z.array(z.object({ token_budget: z.int(), sent: z.boolean() })),
  /** As for a replay. */
  exact: z.boolean(),
  notes: z.array(replayNoteSchema),
  /** Some larger budget that was tried does not send it: a window may begin elsewhere. */
  is_monotone: z.boolean(),
});
export type MinimalBudgetReply = z.infer<typeof minimalBudgetReplySchema>;

export const minimalBudgetRoute = defineRoute({
  name: 'minimalBudget',
  method: 'POST',
  path: '/v1/calls/{id}/minimal-budget',
  summary: 'The least token budget with which one assemble call would have sent an item that it left out',
  auth: 'token',
  params: idParams,
  query: none,
  body: z.strictObject({
    /** Item of the trace, `turn:12`, or a URI. */
    item: z.string().min(1).max(4_000),
    /** A trimmed item does not count as sent. */
    whole: z.boolean().default(false),
  }),
  reply: minimalBudgetReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

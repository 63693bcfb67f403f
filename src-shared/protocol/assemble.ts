import { z } from 'zod';
import { degradedSchema } from '../model/trace.ts';
import { tokenCounterSchema } from '../model/tokens.ts';
import { none, sessionIdentityFields } from './common.ts';
import { messageFormatSchema, messageListSchema, type HostMessage } from './host-message.ts';
import { defineRoute } from './route.ts';

/** What a caller wants of recall, in the place of the configuration. */
export const recallOptionsSchema = z.object({
  enabled: z.boolean().optional(),
  /** Newest user turns that the question is made of. */
  window: z.int().min(1).max(20).optional(),
  limit: z.int().min(1).max(50).optional(),
  min_score: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(0).max(50_000).optional(),
  /** Longest text of one memory. */
  max_item_characters: z.int().min(20).max(100_000).optional(),
  /** Of pages the abstract is sent, not what matched. */
  prefer_abstract: z.boolean().optional(),
  /** Some hosts drop calls of tools that they do not know, and with them what was recalled. */
  form: z.enum(['tool_pair', 'text']).optional(),
});
export type RecallOptions = z.infer<typeof recallOptionsSchema>;

export const assembleRequestSchema = z.object({
  ...sessionIdentityFields,
  format: messageFormatSchema,
  messages: messageListSchema,
  /** Positions of `messages` in the host's own list, ascending; default 0, 1, 2 … */
  indexes: z.array(z.int().nonnegative()).optional(),
  /** Length of the host's own list, when `messages` is a part of it. */
  host_count: z.int().nonnegative().optional(),
  /**
   * `full`: the host's list is all it holds of this session, so stored turns outside it are not part of the
   * present conversation. `window` (default): a part of it; older stored turns may fill the budget.
   */
  history: z.enum(['full', 'window']).default('window'),
  token_budget: z.int().positive().optional(),
  /** The user's text of this turn, where the host appends it itself. */
  prompt: z.string().optional(),
  model: z.string().max(500).optional(),
  reply: z.enum(['messages', 'plan']).default('messages'),
  deadline_ms: z.int().positive().max(600_000).optional(),
  /** Names of the tools that the model will have; decides whether tools are mentioned to it. */
  available_tools: z.array(z.string()).optional(),
  recall: recallOptionsSchema.optional(),
  /** Newest turns that nothing pushes out; default by configuration or strategy. */
  recent_raw_turn_count: z.int().min(1).max(10_000).optional(),
});
export type AssembleRequest = z.infer<typeof assembleRequestSchema>;

export const planEntrySchema = z.union([
  z.object({ host: z.int().nonnegative() }),
  z.object({
    inline: z.custom<HostMessage>().meta({ type: 'object', additionalProperties: true }),
    /** Position of the host's message that this is a shortened copy of. */
    replaces: z.int().nonnegative().optional(),
  }),
]);
export type PlanEntry = z.infer<typeof planEntrySchema>;

export const assembleReplySchema = z.object({
  call_id: z.string(),
  messages: z.array(z.custom<HostMessage>().meta({ type: 'object', additionalProperties: true })).optional(),
  plan: z.array(planEntrySchema).optional(),
  /** Tokens of what is sent: messages with their wrappers and tool arguments, and the system prompt addition. */
  estimated_tokens: z.int().nonnegative(),
  counter: tokenCounterSchema,
  system_prompt_addition: z.string().optional(),
  degraded: degradedSchema.optional(),
});
export type AssembleReply = z.infer<typeof assembleReplySchema>;

export const assembleRoute = defineRoute({
  name: 'assemble',
  method: 'POST',
  path: '/v1/assemble',
  summary: 'Build the message list for one model call under a token budget, with every decision on record',
  auth: 'token',
  params: none,
  query: none,
  body: assembleRequestSchema,
  reply: assembleReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

export const prefetchRoute = defineRoute({
  name: 'prefetch',
  method: 'POST',
  path: '/v1/prefetch',
  summary: 'A message arrived: begin to read and to recall what assemble will want',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({ ...sessionIdentityFields, prompt: z.string().optional(), recall: recallOptionsSchema.optional() }),
  reply: z.object({ accepted: z.boolean() }),
  limit: 'ordinary',
  replyKind: 'json',
});

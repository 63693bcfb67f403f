import { z } from 'zod';
import { tokenCounterSchema } from '../model/tokens.ts';
import { none, sessionIdentityFields } from './common.ts';
import { messageFormatSchema, type HostMessage } from './host-message.ts';
import { defineRoute } from './route.ts';

export const toolResultRequestSchema = z.object({
  ...sessionIdentityFields,
  /** May be left out where the host does not say it; the session key then tells whose the result is. */
  session_id: sessionIdentityFields.session_id.optional(),
  format: messageFormatSchema.default('openclaw'),
  tool_name: z.string().max(1_000).default(''),
  tool_call_id: z.string().max(1_000).default(''),
  /** The message of the result, whole; its `content` is what is stored. */
  message: z
    .custom<HostMessage>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Expected the message of the tool result, an object with "content"',
    })
    .meta({ type: 'object', additionalProperties: true }),
  /** True: the caller has replaced the result already, so it is stored whatever its size. */
  replaced: z.boolean().default(false),
});
export type ToolResultRequest = z.infer<typeof toolResultRequestSchema>;

export const toolResultReplySchema = z.object({
  /** The whole is stored. False: the result is to be kept as it is, and nothing was stored. */
  externalised: z.boolean(),
  /** Why it was not: `below_threshold`, `error_result`, `expand_result` or `no_shorter`. */
  reason: z.string().optional(),
  /** The text that stands for the result's texts. */
  replacement: z.string().optional(),
  uri: z.string().optional(),
  /** Of the result's texts. */
  characters: z.int().nonnegative(),
  tokens: z.int().nonnegative(),
  counter: tokenCounterSchema,
});
export type ToolResultReply = z.infer<typeof toolResultReplySchema>;

export const toolResultRoute = defineRoute({
  name: 'toolResult',
  method: 'POST',
  path: '/v1/tool-result',
  summary: 'Store a large tool result whole, and get the synopsis with a reference that stands for it',
  auth: 'token',
  params: none,
  query: none,
  body: toolResultRequestSchema,
  reply: toolResultReplySchema,
  limit: 'messages',
  replyKind: 'json',
});

import { z } from 'zod';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const wireFormatSchema = z.enum(['openai', 'anthropic', 'gemini']);
export type WireFormat = z.infer<typeof wireFormatSchema>;

/** Which item a part of the request is of. Providers join and split messages, so that one item may have several parts. */
export const wirePartSchema = z.object({
  /** JSON pointer into `request`: `/messages/3/content/1`. */
  pointer: z.string(),
  item: z.string(),
  /** Index in the list that the call answered; undefined: it stands before the list. */
  position: z.int().nonnegative().optional(),
});
export type WirePart = z.infer<typeof wirePartSchema>;

export const wireReplySchema = z.object({
  format: wireFormatSchema,
  /** The messages of the provider's request body, and nothing else of it. */
  request: z.record(z.string(), z.unknown()),
  /** In the order of the request; every part of it is in here once. */
  parts: z.array(wirePartSchema),
  /** Items of the window without a part: what the provider's rules leave out, and bodies that are no longer stored. */
  left_out: z.array(z.object({ item: z.string(), why: z.string() })),
  /** The host makes the final request; this is what the list becomes by the provider's rules. */
  note: z.string(),
});
export type WireReply = z.infer<typeof wireReplySchema>;

export const wireRoute = defineRoute({
  name: 'wire',
  method: 'GET',
  path: '/v1/calls/{id}/wire',
  summary: 'The messages of one assemble call as a provider’s format has them, each part with its item',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(200) }),
  query: z.object({ format: wireFormatSchema.default('openai') }),
  body: none,
  reply: wireReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

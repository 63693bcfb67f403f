import { z } from 'zod';
import { assembleTraceSchema, providerUsageSchema } from '../model/trace.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const callReplySchema = z.object({
  trace: assembleTraceSchema,
  usage: providerUsageSchema.optional(),
});
export type CallReply = z.infer<typeof callReplySchema>;

export const callRoute = defineRoute({
  name: 'call',
  method: 'GET',
  path: '/v1/calls/{id}',
  summary: 'The trace of one assemble call',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(200) }),
  query: none,
  body: none,
  reply: callReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const callMessagesReplySchema = z.object({
  messages: z.array(z.object({ item: z.string(), content_hash: z.string(), message: z.unknown() })),
  /** Items whose bodies are no longer stored. */
  missing: z.array(z.string()),
});
export type CallMessagesReply = z.infer<typeof callMessagesReplySchema>;

export const callMessagesRoute = defineRoute({
  name: 'callMessages',
  method: 'GET',
  path: '/v1/calls/{id}/messages',
  summary: 'The messages that one assemble call answered, as the host got them',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(200) }),
  query: none,
  body: none,
  reply: callMessagesReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

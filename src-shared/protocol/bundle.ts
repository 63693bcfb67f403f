import { z } from 'zod';
import { checkpointRecordSchema } from '../model/checkpoint.ts';
import { memoryOperationSchema } from '../model/memory-operation.ts';
import { memoryPageSchema } from '../model/memory-page.ts';
import { sessionSummarySchema } from '../model/session.ts';
import { turnRecordSchema } from '../model/turn-envelope.ts';
import { callMessagesReplySchema, callReplySchema } from './calls.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/** One session as a file that the inspector opens without a daemon. */
export const sessionBundleSchema = z.object({
  kind: z.literal('strata-session-bundle'),
  version: z.literal(1),
  made_at: z.string(),
  engine_version: z.string(),
  /** Secrets were masked; how many texts had some, by what sort they were. */
  redacted: z.boolean(),
  masked: z.record(z.string(), z.int().positive()),
  session: sessionSummarySchema,
  /** In order of their sequence, with the host's messages; the newest where there are too many. */
  turns: z.array(turnRecordSchema),
  checkpoints: z.array(checkpointRecordSchema),
  /** Newest first. */
  calls: z.array(callReplySchema.extend({ messages: callMessagesReplySchema.optional() })),
  /** Pages that the calls name, as they are now. */
  pages: z.array(memoryPageSchema),
  operations: z.array(memoryOperationSchema),
  /** What there is more of than the bundle has. */
  truncated: z.array(z.object({ what: z.string(), kept: z.int().nonnegative(), of: z.int().nonnegative() })),
});
export type SessionBundle = z.infer<typeof sessionBundleSchema>;

const flag = (value: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(value)
    .transform((given) => given === 'true');

export const bundleRoute = defineRoute({
  name: 'bundle',
  method: 'GET',
  path: '/v1/sessions/{id}/bundle',
  summary:
    'A session with its turns, checkpoints, calls and pages as one file; secrets are masked unless asked otherwise',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(1_000) }),
  query: z.object({
    redact: flag('true'),
    /** Also the messages of each call. */
    messages: flag('true'),
    calls: z.coerce.number().int().min(0).max(500).default(50),
    turns: z.coerce.number().int().min(0).max(20_000).default(2_000),
  }),
  body: none,
  reply: sessionBundleSchema,
  limit: 'ordinary',
  replyKind: 'json',
});

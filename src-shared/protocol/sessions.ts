import { z } from 'zod';
import { checkpointRecordSchema } from '../model/checkpoint.ts';
import { sessionSummarySchema } from '../model/session.ts';
import { callSummarySchema } from '../model/trace.ts';
import { turnRecordSchema } from '../model/turn-envelope.ts';
import { none, pageOf, pageQuerySchema } from './common.ts';
import { defineRoute } from './route.ts';

/** `{id}`: Strata's session uid, or the host's session id where only one session has it. */
const idParams = z.object({ id: z.string().min(1).max(1_000) });
const boolQuery = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

const shared = { method: 'GET', auth: 'token', body: none, limit: 'ordinary', replyKind: 'json' } as const;

export const sessionsRoute = defineRoute({
  ...shared,
  name: 'sessions',
  path: '/v1/sessions',
  summary: 'Sessions, last active first',
  params: none,
  query: pageQuerySchema.extend({
    agent_id: z.string().max(1_000).optional(),
    session_key: z.string().max(1_000).optional(),
  }),
  reply: pageOf(sessionSummarySchema),
});

export const sessionRoute = defineRoute({
  ...shared,
  name: 'session',
  path: '/v1/sessions/{id}',
  summary: 'One session',
  params: idParams,
  query: none,
  reply: sessionSummarySchema,
});

export const sessionTurnsRoute = defineRoute({
  ...shared,
  name: 'sessionTurns',
  path: '/v1/sessions/{id}/turns',
  summary: 'Turns of a session in order of their sequence',
  params: idParams,
  query: pageQuerySchema.extend({
    order: z.enum(['asc', 'desc']).default('asc'),
    epoch: z.coerce.number().int().nonnegative().optional(),
    /** Only the turn with this sequence, whatever page it is on; `order`, `epoch` and `cursor` then say nothing. */
    sequence: z.coerce.number().int().positive().optional(),
    /** Only turns with these sequences, ends included. */
    from_sequence: z.coerce.number().int().positive().optional(),
    to_sequence: z.coerce.number().int().positive().optional(),
    /** Also the host's original messages. */
    raw: boolQuery,
  }),
  reply: pageOf(turnRecordSchema),
});

export const sessionCheckpointsRoute = defineRoute({
  ...shared,
  name: 'sessionCheckpoints',
  path: '/v1/sessions/{id}/checkpoints',
  summary: 'Checkpoints of a session, newest first, with what became of them',
  params: idParams,
  query: pageQuerySchema,
  reply: pageOf(checkpointRecordSchema),
});

export const sessionCallsRoute = defineRoute({
  ...shared,
  name: 'sessionCalls',
  path: '/v1/sessions/{id}/calls',
  summary: 'Assemble calls of a session, newest first',
  params: idParams,
  query: pageQuerySchema,
  reply: pageOf(callSummarySchema),
});

export const exportRoute = defineRoute({
  ...shared,
  name: 'exportSession',
  path: '/v1/sessions/{id}/export',
  summary: 'The transcript of a session as JSON lines, byte for byte what the host gave',
  params: idParams,
  query: none,
  reply: z.string(),
  replyKind: 'ndjson',
});

export const importRoute = defineRoute({
  name: 'importSession',
  method: 'POST',
  path: '/v1/sessions/import',
  summary: 'Take in an exported transcript; turns that are known are skipped',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({ jsonl: z.string() }),
  reply: z.object({ session_uid: z.string(), imported: z.int(), skipped: z.int() }),
  limit: 'messages',
  replyKind: 'json',
});

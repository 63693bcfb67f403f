import { z } from 'zod';
import { callInputsSchema } from '../model/call-inputs.ts';
import { compactCheckpointSchema } from '../model/checkpoint.ts';
import { calibrationSchema, traceOutputEntrySchema } from '../model/trace.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/** A stored turn as far as assemble looks at it. */
export const fixtureTurnSchema = z.object({
  turn_id: z.string(),
  sequence: z.int().positive(),
  epoch: z.int().nonnegative(),
  identity: z.string(),
  message_key: z.string(),
  role: z.string(),
  format: z.enum(['openclaw', 'openai']),
  timestamp: z.number(),
  content_hash: z.string(),
  tokens: z.int().nonnegative(),
  tokens_cumulative: z.int().nonnegative(),
  preview: z.string(),
  tool_call_ids: z.array(z.string()),
  tool_result_for: z.string().optional(),
  excluded: z.boolean(),
  heartbeat: z.boolean(),
});
export type FixtureTurn = z.infer<typeof fixtureTurnSchema>;

/** One call with everything it was made from: a test by itself. It has the words of the session in it. */
export const callFixtureSchema = z.object({
  kind: z.literal('strata-call-fixture'),
  version: z.literal(1),
  engine_version: z.string(),
  call_id: z.string(),
  session_uid: z.string(),
  session_id: z.string(),
  session_key: z.string(),
  agent_id: z.string(),
  epoch: z.int().nonnegative(),
  created_at: z.string(),
  format: z.enum(['openclaw', 'openai']),
  reply: z.enum(['messages', 'plan']),
  history: z.enum(['full', 'window']),
  strategy: z.string(),
  calibration: calibrationSchema,
  inputs: callInputsSchema,
  /** Turns and checkpoints that the call looked at. */
  turns: z.array(fixtureTurnSchema),
  checkpoints: z.array(compactCheckpointSchema),
  /** Bodies by content hash, and message keys of those that are no turn. */
  contents: z.record(z.string(), z.object({ body: z.string(), message_key: z.string(), tokens: z.int() })),
  expected: z.object({
    output_hash: z.string(),
    estimated_tokens: z.int().nonnegative(),
    output: z.array(traceOutputEntrySchema),
  }),
});
export type CallFixture = z.infer<typeof callFixtureSchema>;

export const fixtureRoute = defineRoute({
  name: 'fixture',
  method: 'GET',
  path: '/v1/calls/{id}/fixture',
  summary: 'One assemble call as a test: its inputs, and the list that they must give',
  auth: 'token',
  params: z.object({ id: z.string().min(1).max(200) }),
  query: none,
  body: none,
  reply: callFixtureSchema,
  limit: 'ordinary',
  replyKind: 'json',
});

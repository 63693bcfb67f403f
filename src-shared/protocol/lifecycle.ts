import { z } from 'zod';
import { memoryAccessSchema } from '../model/memory-scope.ts';
import { none, sessionIdentityFields } from './common.ts';
import { preparedCompactionSchema } from './compact.ts';
import { defineRoute } from './route.ts';

const acceptedReplySchema = z.object({ accepted: z.boolean() });

export const sessionEndRequestSchema = z.object({
  ...sessionIdentityFields,
  reason: z.enum(['new', 'reset', 'idle', 'daily', 'compaction', 'deleted', 'shutdown', 'restart', 'unknown']),
  next_session_id: z.string().max(1_000).optional(),
});
export type SessionEndRequest = z.infer<typeof sessionEndRequestSchema>;

export const sessionEndRoute = defineRoute({
  name: 'sessionEnd',
  method: 'POST',
  path: '/v1/session-end',
  summary: 'The host ended or reset a session; a reset under the same id starts a new epoch',
  auth: 'token',
  params: none,
  query: none,
  body: sessionEndRequestSchema,
  reply: z.object({ accepted: z.boolean(), epoch: z.int().nonnegative() }),
  limit: 'ordinary',
  replyKind: 'json',
});

export const maintainRoute = defineRoute({
  name: 'maintain',
  method: 'POST',
  path: '/v1/maintain',
  summary: 'The host offers time for upkeep of a session',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({
    ...sessionIdentityFields,
    /** The host's model can be asked now, and its answer handed in by `POST /v1/compact`. */
    can_complete: z.boolean().default(false),
  }),
  reply: z.object({
    changed: z.boolean(),
    /** A compaction that is due and waits for the host's model. */
    compaction: preparedCompactionSchema.optional(),
  }),
  limit: 'ordinary',
  replyKind: 'json',
});

export const subagentPrepareRoute = defineRoute({
  name: 'subagentPrepare',
  method: 'POST',
  path: '/v1/subagent/prepare',
  summary: 'A sub-agent is about to start',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({
    parent_session_key: z.string().min(1).max(1_000),
    child_session_key: z.string().min(1).max(1_000),
    context_mode: z.enum(['isolated', 'fork']).default('isolated'),
    /** What the child may see of memory, at most what its parent may; default by configuration. */
    memory_grant: memoryAccessSchema.optional(),
  }),
  reply: acceptedReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

export const subagentEndedRoute = defineRoute({
  name: 'subagentEnded',
  method: 'POST',
  path: '/v1/subagent/ended',
  summary: 'A sub-agent ended',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({
    child_session_key: z.string().min(1).max(1_000),
    reason: z.enum(['deleted', 'completed', 'swept', 'released', 'rolled_back']),
  }),
  reply: acceptedReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

/** Things that the plugin saw outside the engine's own calls; they tell whether the host really uses the engine. */
export const hostEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('plugin_registered'),
    host_version: z.string().max(200).optional(),
    plugin_version: z.string().max(200).optional(),
  }),
  /** A model call of a turn happened, whoever built its context. */
  z.object({ type: z.literal('turn_seen'), ...sessionIdentityFields, run_id: z.string().max(500).optional() }),
  z.object({
    type: z.literal('usage'),
    ...sessionIdentityFields,
    run_id: z.string().max(500).optional(),
    model: z.string().max(500).optional(),
    input: z.number().nonnegative().default(0),
    output: z.number().nonnegative().default(0),
    cache_read: z.number().nonnegative().default(0),
    cache_write: z.number().nonnegative().default(0),
    /** Model calls of the run; with more than one the usage says nothing about a single call. */
    model_calls: z.int().positive().default(1),
    /** Tokens that the host itself put around our list, by our tokenizer: system prompt and prompt. */
    host_text_chars: z.int().nonnegative().optional(),
  }),
  z.object({
    type: z.literal('spool_state'),
    pending: z.int().nonnegative(),
    oldest_at: z.iso.datetime().optional(),
    /** Requests that the daemon refused for good: kept aside on the plugin's side, never delivered. */
    rejected: z.int().nonnegative().optional(),
  }),
]);
export type HostEvent = z.infer<typeof hostEventSchema>;

export const hostEventsRoute = defineRoute({
  name: 'hostEvents',
  method: 'POST',
  path: '/v1/host-events',
  summary: 'What the plugin saw of the host: model calls, provider usage, undelivered turns',
  auth: 'token',
  params: none,
  query: none,
  body: z.object({ events: z.array(hostEventSchema).min(1).max(100) }),
  reply: acceptedReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

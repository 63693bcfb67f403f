import { z } from 'zod';
import { alarmSchema } from '../model/events.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const healthReplySchema = z.object({
  version: z.string(),
  ready: z.boolean(),
  /** What the daemon is and since when; no paths, no secrets: this route needs no token. */
  pid: z.int(),
  started_at: z.string(),
  mode: z.enum(['headless', 'desktop']),
  host: z.object({
    /** Newest call of the host to the engine, and which. */
    last_call_at: z.string().optional(),
    last_call: z.string().optional(),
    last_assemble_at: z.string().optional(),
    last_commit_at: z.string().optional(),
    /** Newest model call that the plugin saw on the host, whoever built its context. */
    last_turn_seen_at: z.string().optional(),
    /** Turns since the last assemble that ran without the engine. */
    bypassed_turns: z.int().nonnegative(),
    /** `never`: no call yet; `active`: the newest seen turn went through the engine; `bypassed`: it did not. */
    link: z.enum(['never', 'active', 'bypassed']),
    plugin_version: z.string().optional(),
    host_version: z.string().optional(),
    spooled_turns: z.int().nonnegative(),
  }),
  store: z.object({ schema_version: z.int(), sessions: z.int(), turns: z.int(), size_bytes: z.int() }),
  /** Rules that pause calls, and calls that are paused now. */
  breakpoints: z.object({ active: z.int().nonnegative(), paused: z.int().nonnegative() }).optional(),
  /** The index of memory; its counts are left out when it does not answer at once. */
  index: z
    .object({
      /** Changed pages that are not in the index yet, those that were given up, and since when the oldest waits. */
      waiting: z.int().nonnegative(),
      dead: z.int().nonnegative(),
      oldest_at: z.string().optional(),
      pages: z.int().nonnegative().optional(),
      turns: z.int().nonnegative().optional(),
      vectors: z.int().nonnegative().optional(),
    })
    .optional(),
  alarms: z.array(alarmSchema),
});
export type HealthReply = z.infer<typeof healthReplySchema>;

export const healthRoute = defineRoute({
  name: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Version, readiness, whether the host really calls the engine, alarms',
  auth: 'none',
  params: none,
  query: none,
  body: none,
  reply: healthReplySchema,
  limit: 'ordinary',
  replyKind: 'json',
});

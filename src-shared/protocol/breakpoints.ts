import { z } from 'zod';
import { segmentKindSchema } from '../model/trace.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const breakpointConditionSchema = z.discriminatedUnion('type', [
  /** An item that the call leaves out: its name, its URI, or either with `*` for any characters. */
  z.strictObject({ type: z.literal('item_dropped'), item: z.string().min(1).max(4_000) }),
  /** Fewer tokens of the budget are left than these. */
  z.strictObject({ type: z.literal('free_below'), tokens: z.int().min(1).max(10_000_000) }),
  /** A slot was asked for more than it was allotted, or used more than `tokens`. */
  z.strictObject({
    type: z.literal('slot_over'),
    kind: segmentKindSchema,
    tokens: z.int().min(0).max(10_000_000).optional(),
  }),
]);
export type BreakpointCondition = z.infer<typeof breakpointConditionSchema>;

/** Longest pause of a call (ms). */
export const longestPause = 60_000;

export const breakpointRuleSchema = z.strictObject({
  when: breakpointConditionSchema,
  /** Only calls of this session. */
  session_uid: z.string().min(1).max(1_000).optional(),
  /** The call goes on after so long, whatever happens; before its own deadline in any case (ms). */
  timeout_ms: z.int().min(100).max(longestPause).default(10_000),
  enabled: z.boolean().default(true),
});
export type BreakpointRule = z.infer<typeof breakpointRuleSchema>;

export const pausedCallSchema = z.object({
  breakpoint_id: z.string(),
  call_id: z.string(),
  session_uid: z.string(),
  since: z.string(),
  /** It goes on at this time at the latest. */
  until: z.string(),
  /** What matched, in a sentence. */
  because: z.string(),
  item: z.string().optional(),
});
export type PausedCall = z.infer<typeof pausedCallSchema>;

export const breakpointSchema = breakpointRuleSchema.extend({
  breakpoint_id: z.string(),
  created_at: z.string(),
  /** Calls that it paused since it was made. */
  hits: z.int().nonnegative(),
});
export type Breakpoint = z.infer<typeof breakpointSchema>;

const idParams = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) });
const shared = { auth: 'token', query: none, limit: 'ordinary', replyKind: 'json' } as const;

export const breakpointsRoute = defineRoute({
  ...shared,
  name: 'breakpoints',
  method: 'GET',
  path: '/v1/breakpoints',
  summary: 'Rules that pause calls, and the calls that are paused; the daemon forgets them when it ends',
  params: none,
  body: none,
  reply: z.object({ items: z.array(breakpointSchema), paused: z.array(pausedCallSchema) }),
});

export const putBreakpointRoute = defineRoute({
  ...shared,
  name: 'putBreakpoint',
  method: 'PUT',
  path: '/v1/breakpoints/{id}',
  summary: 'Set a rule that pauses calls, under a name of the caller’s',
  params: idParams,
  body: breakpointRuleSchema,
  reply: breakpointSchema,
});

export const deleteBreakpointRoute = defineRoute({
  ...shared,
  name: 'deleteBreakpoint',
  method: 'DELETE',
  path: '/v1/breakpoints/{id}',
  summary: 'Remove a rule; calls that it paused go on',
  params: idParams,
  body: none,
  reply: z.object({ removed: z.boolean(), resumed: z.int().nonnegative() }),
});

export const resumeBreakpointRoute = defineRoute({
  ...shared,
  name: 'resumeBreakpoint',
  method: 'POST',
  path: '/v1/breakpoints/{id}/resume',
  summary: 'Let the calls go on that a rule paused',
  params: idParams,
  body: z.strictObject({ /** Only this one. */ call_id: z.string().max(200).optional() }),
  reply: z.object({ resumed: z.int().nonnegative() }),
});

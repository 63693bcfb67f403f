import { z } from 'zod';
import { jobDetailSchema, jobStateSchema, jobSummarySchema } from '../model/job.ts';
import { none, pageOf, pageQuerySchema } from './common.ts';
import { defineRoute } from './route.ts';

const shared = { auth: 'token', body: none, limit: 'ordinary', replyKind: 'json' } as const;
const idParams = z.object({ id: z.string().min(1).max(200) });

export const jobsRoute = defineRoute({
  ...shared,
  name: 'jobs',
  method: 'GET',
  path: '/v1/jobs',
  summary: 'Background work, newest first',
  params: none,
  query: pageQuerySchema.extend({
    state: jobStateSchema.optional(),
    type: z.string().max(100).optional(),
    session_uid: z.string().max(1_000).optional(),
  }),
  reply: pageOf(jobSummarySchema),
});

export const jobRoute = defineRoute({
  ...shared,
  name: 'job',
  method: 'GET',
  path: '/v1/jobs/{id}',
  summary: 'One piece of background work with its attempts',
  params: idParams,
  query: none,
  reply: jobDetailSchema,
});

export const retryJobRoute = defineRoute({
  ...shared,
  name: 'retryJob',
  method: 'POST',
  path: '/v1/jobs/{id}/retry',
  summary: 'Queue a dead or cancelled job anew, or begin one at once that waits for its next attempt',
  params: idParams,
  query: none,
  reply: jobSummarySchema,
});

export const cancelJobRoute = defineRoute({
  ...shared,
  name: 'cancelJob',
  method: 'POST',
  path: '/v1/jobs/{id}/cancel',
  summary: 'Cancel a queued job, ask a running one to stop, or put a dead one aside',
  params: idParams,
  query: none,
  reply: jobSummarySchema,
});

import { liveEventSchema } from '../model/events.ts';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

export const eventsRoute = defineRoute({
  name: 'events',
  method: 'GET',
  path: '/v1/events',
  summary: 'Server-sent events: what changed, as it changes; `Last-Event-ID` resumes',
  auth: 'token',
  params: none,
  query: none,
  body: none,
  reply: liveEventSchema,
  limit: 'ordinary',
  replyKind: 'event-stream',
});

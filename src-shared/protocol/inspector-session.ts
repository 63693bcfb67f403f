import { z } from 'zod';
import { none } from './common.ts';
import { defineRoute } from './route.ts';

/** Made by the bearer of the token file: `strata` prints or opens it. */
export const inspectorLinkRoute = defineRoute({
  name: 'inspectorLink',
  method: 'POST',
  path: '/v1/inspector/links',
  summary: 'Make a one-time link that opens the inspector',
  auth: 'token',
  params: none,
  query: none,
  body: none,
  reply: z.object({ url: z.string(), expires_at: z.string() }),
  limit: 'ordinary',
  replyKind: 'json',
});

export const inspectorSessionRoute = defineRoute({
  name: 'inspectorSession',
  method: 'POST',
  path: '/v1/inspector/sessions',
  summary: 'Exchange the code of a one-time link for a session token of the inspector',
  auth: 'none',
  params: none,
  query: none,
  body: z.object({ code: z.string().min(1).max(200) }),
  reply: z.object({ token: z.string(), expires_at: z.string() }),
  limit: 'ordinary',
  replyKind: 'json',
});

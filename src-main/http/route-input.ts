import type { Context } from 'hono';
import type { z } from 'zod';
import type { Config } from '../../src-shared/model/config.ts';
import type { RouteDefinition } from '../../src-shared/protocol/route.ts';
import { invalidRequest } from './error-reply.ts';
import { withIfMatch } from './if-match.ts';
import { readJsonBody } from './read-json-body.ts';

export interface ParsedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Parses the three parts of a request by the schemas of its route.
 * @throws EngineError `invalid_request`, and what `readJsonBody` throws
 */
export async function readRouteInput(
  context: Context,
  route: RouteDefinition,
  limits: Config['limits'],
): Promise<ParsedInput> {
  const params = parse(route.params, context.req.param(), 'path');
  const query = parse(route.query, context.req.query(), 'query');
  if (route.method === 'GET') return { params, query, body: {} };
  const limit = route.limit === 'messages' ? limits.messages_body_bytes : limits.body_bytes;
  const body = await readJsonBody(context.req.raw, limit);
  const whole = withIfMatch(route, context.req.header('if-match'), body ?? {});
  return { params, query, body: parse(route.body, whole, 'body') };
}

function parse(schema: z.ZodType, value: unknown, part: 'path' | 'query' | 'body'): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(part, result.error.issues);
}

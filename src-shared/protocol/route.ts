import type { z } from 'zod';

export type RouteAuth = 'none' | 'token';

export interface RouteDefinition<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` placeholders, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly auth: RouteAuth;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly reply: Reply;
  /** Which body limit applies; `messages` routes carry message bodies. */
  readonly limit: 'ordinary' | 'messages';
  /** `json` unless the route streams. */
  readonly replyKind: 'json' | 'event-stream' | 'ndjson';
}

/**
 * Writes a route down once: the HTTP host serves it, the document describes it, the clients call it.
 * The name and the kind of reply keep their literal types: `EngineApi` is made from them.
 */
export function defineRoute<
  const N extends string,
  const K extends RouteDefinition['replyKind'],
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  route: RouteDefinition<P, Q, B, R> & { readonly name: N; readonly replyKind: K },
): RouteDefinition<P, Q, B, R> & { readonly name: N; readonly replyKind: K } {
  return Object.freeze(route);
}

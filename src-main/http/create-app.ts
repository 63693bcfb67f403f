import { Hono, type Context } from 'hono';
import type { Config } from '../../src-shared/model/config.ts';
import { toJson } from '../engine/prepared-json.ts';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { EngineApi, RouteName } from '../../src-shared/protocol/api.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import type { EventLog } from '../engine/events/event-log.ts';
import { errorFields, type Logger } from '../logger.ts';
import type { Authenticator } from './access/authenticator.ts';
import { checkOrigin } from './access/origin-guard.ts';
import type { InspectorSignIn } from './access/inspector-sign-in.ts';
import { createActivity, type Activity } from './activity.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { toErrorReply } from './error-reply.ts';
import { createEventStreams, type EventStreams } from './events/event-streams.ts';
import { entityTag } from './if-match.ts';
import type { InspectorFiles } from './inspector/inspector-files.ts';
import { openApiDocument } from './openapi/open-api-document.ts';
import { readRouteInput, type ParsedInput } from './route-input.ts';
import { apiHeaders, commonHeaders } from './security-headers.ts';

type AnyRoute = (typeof routes)[number];

export interface HttpAppParts {
  readonly api: EngineApi;
  readonly events: EventLog;
  readonly limits: Config['limits'];
  readonly version: string;
  /** The port the server really listens on. */
  readonly port: () => number;
  readonly authenticator: Authenticator;
  readonly signIn: InspectorSignIn;
  readonly inspector: InspectorFiles;
  readonly logger: Logger;
  readonly heartbeatMs?: number;
}

export interface HttpApp {
  readonly hono: Hono;
  readonly activity: Activity;
  readonly streams: EventStreams;
}

/** The HTTP door: every route of the protocol over the same `EngineApi`, behind the same guards. */
export function createHttpApp(parts: HttpAppParts): HttpApp {
  const hono = new Hono();
  const activity = createActivity();
  const streams = createEventStreams({ log: parts.events, heartbeatMs: parts.heartbeatMs ?? 15_000, maxStreams: 100 });

  hono.use(async (context, next) => {
    for (const [name, value] of Object.entries(commonHeaders)) context.header(name, value);
    checkOrigin((name) => context.req.header(name), parts.port());
    await activity.run(async () => next().catch(asError));
  });
  const answer = answerers(parts);
  for (const route of routes) {
    hono.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      if (route.auth === 'token') parts.authenticator.check(context.req.header('authorization'));
      if (route.replyKind === 'event-stream') return openStream(context, streams);
      const input = await readRouteInput(context, route, parts.limits);
      return reply(context, route, await answer(route)(input));
    });
  }
  let mcp: ReturnType<typeof openMcp> | undefined;
  hono.all('/mcp', async (context) => {
    parts.authenticator.check(context.req.header('authorization'));
    mcp ??= openMcp(parts, answer);
    return (await mcp)(context);
  });
  // Made when it is first asked for: starting must not wait for it.
  let document: string | undefined;
  hono.get('/openapi.json', (context) => {
    document ??= JSON.stringify(openApiDocument(parts.version));
    return jsonReply(context, document);
  });
  hono.all('*', async (context) => fallback(context, parts.inspector));
  hono.onError((error, context) => errorAnswer(error, context, parts.logger));
  return { hono, activity, streams };
}

/** Loaded when the first client comes: most installations have none. */
async function openMcp(parts: HttpAppParts, answer: ReturnType<typeof answerers>) {
  const { createMcpDoor } = await import('./mcp/mcp-door.ts');
  return createMcpDoor({
    version: parts.version,
    bodyLimit: parts.limits.body_bytes,
    call: async (route, body) => answer(route)({ params: {}, query: {}, body }),
    onFailure: (tool, error) => parts.logger.error('mcp_tool_failed', { tool, ...errorFields(error) }),
  });
}

/** Only errors find their way to the handler of errors; whatever else was thrown is made one. */
function asError(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new EngineError('internal', 'Something was thrown.', { cause: thrown });
}

function answerers(parts: HttpAppParts): (route: Pick<AnyRoute, 'name'>) => (input: ParsedInput) => Promise<unknown> {
  const limitAssembles = createConcurrencyLimit(parts.limits.concurrent_assembles, 'assemble calls');
  const api: EngineApi = {
    ...parts.api,
    assemble: async (input) => limitAssembles(async () => parts.api.assemble(input)),
  };
  const doors = {
    events: () => Promise.reject(new EngineError('internal', 'The event stream has no single answer.')),
    inspectorLink: () => Promise.resolve(parts.signIn.makeLink(parts.port())),
    inspectorSession: (input: { readonly body: { readonly code: string } }) => parts.signIn.signIn(input.body.code),
  };
  const all: { readonly [N in RouteName]: unknown } = { ...api, ...doors };
  // Each entry takes what the schemas of the route with its name give, which is what it is called with.
  return (route) => all[route.name] as (input: ParsedInput) => Promise<unknown>;
}

function reply(context: Context, route: AnyRoute, value: unknown): Response {
  const tag = entityTag(value);
  if (tag !== undefined) context.header('ETag', tag);
  if (route.replyKind !== 'ndjson') return jsonReply(context, toJson(value));
  return context.body(String(value), 200, { ...apiHeaders, 'Content-Type': 'application/x-ndjson; charset=utf-8' });
}

function jsonReply(context: Context, json: string | Uint8Array<ArrayBuffer>): Response {
  return context.body(json, 200, { ...apiHeaders, 'Content-Type': 'application/json; charset=utf-8' });
}

function openStream(context: Context, streams: EventStreams): Response {
  const headers = { ...apiHeaders, 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };
  // A HEAD request has no body to end the stream by.
  if (context.req.method === 'HEAD') return context.body(null, 200, headers);
  const stream = streams.open(context.req.header('last-event-id'), context.req.raw.signal);
  return context.body(stream, 200, headers);
}

const patterns = [...routes, { method: 'GET', path: '/openapi.json' }].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Whatever is no route: a wrong method, an unknown path, or a file of the inspector. */
async function fallback(context: Context, inspector: InspectorFiles): Promise<Response> {
  const { method, path } = context.req;
  const known = patterns.filter(({ pattern }) => pattern.test(path)).map((entry) => entry.method);
  const isApi = known.length > 0 || path === '/v1' || path.startsWith('/v1/');
  if (isApi && known.length === 0) {
    throw new EngineError('not_found', 'There is no such route. /openapi.json lists all routes.');
  }
  const allowed = isApi ? known : ['GET'];
  const withHead = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  if (!withHead.includes(method)) {
    context.header('Allow', withHead.join(', '));
    throw new EngineError('method_not_allowed', `Expected ${withHead.join(' or ')}, got ${method.slice(0, 20)}.`);
  }
  const file = await inspector.read(new URL(context.req.url).pathname);
  return context.body(file.bytes, 200, { ...file.headers });
}

function errorAnswer(error: Error, context: Context, logger: Logger): Response {
  const { status, body } = toErrorReply(error);
  const { code } = body.error;
  const fields = { method: context.req.method, route: context.req.path.slice(0, 200), code };
  if (status >= 500) logger.error('request_failed', { ...fields, ...errorFields(error), code });
  else logger.debug('request_refused', fields);
  if (code === 'unauthorized') context.header('WWW-Authenticate', 'Bearer realm="strata"');
  if (code === 'busy') context.header('Retry-After', '1');
  // The rest of a refused body is not worth reading, and an unread one would block the connection's next request.
  if (code === 'body_too_large' || code === 'shutting_down') context.header('Connection', 'close');
  return context.body(JSON.stringify(body), status, {
    ...apiHeaders,
    'Content-Type': 'application/json; charset=utf-8',
  });
}

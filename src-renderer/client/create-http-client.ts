import { inspectorSessionRoute } from '../../src-shared/protocol/inspector-session.ts';
import { ClientError } from './client-error.ts';
import type { AnyCallInput, ApiRouteName, EngineClient, Reply } from './engine-client.ts';
import { openEventStream, type EventStream } from './event-stream.ts';
import { findRoute } from './find-route.ts';
import { httpRequest, type Fetch } from './http-request.ts';
import { routeUrl } from './route-url.ts';
import type { SessionToken } from './session-token.ts';

export interface HttpClientParts {
  /** Origin of the daemon, such as `http://127.0.0.1:7717`. */
  readonly origin: string;
  readonly token: SessionToken;
  readonly fetch: Fetch;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Told when the daemon refuses the token. */
  readonly onSignedOut?: () => void;
}

export interface HttpClient extends EngineClient {
  /** Exchanges the code of a one-time link for a session. @throws ClientError */
  signIn(code: string): Promise<void>;
}

export function createHttpClient(parts: HttpClientParts): HttpClient {
  const streams = new Set<EventStream>();
  const headers = (): Record<string, string> => {
    const token = parts.token.get();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  return {
    transport: 'http',
    // The reply was parsed with the schema of the route named N; the table of routes hides that.
    call: async <N extends ApiRouteName>(name: N, input?: AnyCallInput) =>
      (await callRoute(parts, headers, name, input ?? {})) as Reply<N>,
    async signIn(code) {
      const init = jsonInit('POST', { code }, {});
      const url = `${parts.origin}${inspectorSessionRoute.path}`;
      const { token } = await httpRequest(parts.fetch, url, init, inspectorSessionRoute.reply);
      parts.token.set(token);
    },
    subscribe(onEvent, onState) {
      const stream = openEventStream({
        fetch: parts.fetch,
        url: `${parts.origin}${findRoute('events').path}`,
        headers,
        now: parts.now ?? Date.now,
        random: parts.random ?? Math.random,
        onEvent,
        onState,
      });
      streams.add(stream);
      return () => {
        streams.delete(stream);
        stream.close();
      };
    },
    reconnectNow: () => streams.forEach((stream) => stream.reconnectNow()),
  };
}

async function callRoute(
  parts: HttpClientParts,
  headers: () => Record<string, string>,
  name: ApiRouteName,
  input: AnyCallInput,
): Promise<unknown> {
  const route = findRoute(name);
  const url = `${parts.origin}${routeUrl(route.path, input.params, input.query)}`;
  const init = { ...jsonInit(route.method, input.body, headers()), signal: input.signal ?? null };
  try {
    return await httpRequest(parts.fetch, url, init, route.reply, route.replyKind === 'ndjson' ? 'ndjson' : 'json');
  } catch (error) {
    if (error instanceof ClientError && error.code === 'unauthorized') parts.onSignedOut?.();
    throw error;
  }
}

function jsonInit(method: string, body: unknown, headers: Record<string, string>): RequestInit {
  if (method === 'GET') return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
}

import { configSchema, type Config } from '../../../src-shared/model/config.ts';
import type { EngineApi, RouteInput, RouteName, TransportRoute } from '../../../src-shared/protocol/api.ts';
import { routes } from '../../../src-shared/protocol/routes.ts';
import { createEventLog, type EventLog } from '../../engine/events/event-log.ts';
import { createLogger } from '../../logger.ts';
import { createAuthenticator } from '../access/authenticator.ts';
import { createInspectorSignIn } from '../access/inspector-sign-in.ts';
import { openInspectorSessions } from '../access/inspector-sessions.ts';
import { createOneTimeCodes } from '../access/one-time-codes.ts';
import { createHttpApp, type HttpApp } from '../create-app.ts';
import { inspectorFiles } from '../inspector/inspector-files.ts';

export const testPort = 7999;
export const testToken = 'a'.repeat(64);
export const testAuthorization = { Authorization: `Bearer ${testToken}` };

export interface RecordedCall {
  readonly name: string;
  readonly input: RouteInput;
}

export interface TestApp extends HttpApp {
  readonly calls: RecordedCall[];
  readonly events: EventLog;
  readonly logLines: Record<string, unknown>[];
  setTime(now: number): void;
  /** Sends a request with the right Host header and, unless `headers` say otherwise, the token. */
  send(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

export interface TestAppOptions {
  readonly dataDir: string;
  readonly limits?: Partial<Config['limits']>;
  readonly inspectorDir?: string;
  /** By route name: what the engine does. Routes that are not named answer `{}`. */
  readonly engine?: { readonly [N in Exclude<RouteName, TransportRoute>]?: (input: RouteInput) => Promise<unknown> };
  readonly port?: () => number;
  readonly eventCapacity?: number;
  readonly heartbeatMs?: number;
}

/** The real HTTP pipeline over a scripted engine that records what reaches it. */
export async function createTestApp(options: TestAppOptions): Promise<TestApp> {
  let time = Date.parse('2026-11-02T10:00:00Z');
  const now = (): number => time;
  const logLines: Record<string, unknown>[] = [];
  const logger = createLogger({ level: 'debug', now, write: (line) => logLines.push(readLine(line)) });
  const calls: RecordedCall[] = [];
  const events = createEventLog({ capacity: options.eventCapacity ?? 100, streamId: 'test' });
  const sessions = await openInspectorSessions(options.dataDir, { now, logger });
  const app = createHttpApp({
    api: scriptedApi(options.engine ?? {}, calls),
    events,
    limits: { ...configSchema.parse({}).limits, ...options.limits },
    version: '0.0.0-test',
    port: options.port ?? (() => testPort),
    authenticator: createAuthenticator({ token: testToken, isSessionToken: (token) => sessions.has(token) }),
    signIn: createInspectorSignIn(createOneTimeCodes(now), sessions),
    inspector: inspectorFiles(options.inspectorDir),
    logger,
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  });
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ Host: `127.0.0.1:${testPort}`, ...testAuthorization });
    for (const [name, value] of new Headers(init.headers)) {
      if (value === '') headers.delete(name);
      else headers.set(name, value);
    }
    return app.hono.request(`http://127.0.0.1:${testPort}${path}`, { ...init, headers });
  };
  return {
    ...app,
    calls,
    events,
    logLines,
    setTime: (value) => {
      time = value;
    },
    send,
    post: async (path, body, init = {}) =>
      send(path, {
        ...init,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

function scriptedApi(engine: NonNullable<TestAppOptions['engine']>, calls: RecordedCall[]): EngineApi {
  const entries = routes.map(({ name }) => [
    name,
    async (input: RouteInput) => {
      calls.push({ name, input });
      const script = name in engine ? engine[name as keyof typeof engine] : undefined;
      return script ? script(input) : {};
    },
  ]);
  // Complete, because every route's name is in it; what the scripts answer is the test's business.
  return Object.fromEntries(entries) as EngineApi;
}

function readLine(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

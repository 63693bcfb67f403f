import type { Config } from '../../src-shared/model/config.ts';
import type { EngineApi } from '../../src-shared/protocol/api.ts';
import type { EventLog } from '../engine/events/event-log.ts';
import type { Logger } from '../logger.ts';
import { createAuthenticator } from './access/authenticator.ts';
import { loadBearerToken } from './access/bearer-token.ts';
import { createInspectorSignIn } from './access/inspector-sign-in.ts';
import { openInspectorSessions } from './access/inspector-sessions.ts';
import { createOneTimeCodes } from './access/one-time-codes.ts';
import { createHttpApp } from './create-app.ts';
import { removeEndpoint, writeEndpoint } from './endpoint-file.ts';
import { inspectorFiles } from './inspector/inspector-files.ts';
import { startLoopbackServer, type LoopbackServerOptions } from './loopback-server.ts';

export interface HttpHostOptions {
  readonly api: EngineApi;
  readonly events: EventLog;
  readonly limits: Config['limits'];
  readonly dataDir: string;
  readonly port: number;
  readonly inspectorDir: string | undefined;
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly timeouts?: LoopbackServerOptions['timeouts'];
}

/** The served endpoint of one data directory. */
export interface HttpHost {
  readonly url: string;
  readonly token: string;
  inspectorLink(): string;
  /** Refuses new requests, ends the event streams, and waits for running requests up to `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
  /** Cuts what is still connected and takes `endpoint.json` away. */
  close(): Promise<void>;
}

/** @throws EngineError `invalid_config`, `data_dir_blocked`, `disk_full` */
export async function startHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const { dataDir, logger, now, version } = options;
  const [{ token, path: tokenFile }, sessions] = await Promise.all([
    loadBearerToken(dataDir),
    openInspectorSessions(dataDir, { now, logger }),
  ]);
  const signIn = createInspectorSignIn(createOneTimeCodes(now), sessions);
  let port = options.port;
  const app = createHttpApp({
    api: options.api,
    events: options.events,
    limits: options.limits,
    version,
    port: () => port,
    authenticator: createAuthenticator({ token, isSessionToken: (given) => sessions.has(given) }),
    signIn,
    inspector: inspectorFiles(options.inspectorDir),
    logger,
  });
  const server = await startLoopbackServer({
    fetch: (request) => app.hono.fetch(request),
    port: options.port,
    logger,
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
  });
  port = server.port;
  const started_at = new Date(options.startedAt).toISOString();
  const endpoint = { url: server.url, pid: options.pid, started_at, token_file: tokenFile, version };
  try {
    await writeEndpoint(dataDir, endpoint);
  } catch (error) {
    server.stopAccepting();
    server.closeAllConnections();
    throw error;
  }
  return {
    url: server.url,
    token,
    inspectorLink: () => signIn.makeLink(port).url,
    async drain(deadlineMs) {
      app.activity.stop();
      server.stopAccepting();
      app.streams.closeAll();
      if (!(await app.activity.whenIdle(deadlineMs))) logger.warn('requests_cut_off', { deadline_ms: deadlineMs });
      server.closeIdleConnections();
    },
    async close() {
      server.closeAllConnections();
      await removeEndpoint(dataDir, endpoint);
    },
  };
}

import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { Logger } from '../logger.ts';
import { errorCode } from '../settings/file-failure.ts';
import { toErrorReply } from './error-reply.ts';

export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  /** Accepts nothing more; requests that run go on. */
  stopAccepting(): void;
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

export interface LoopbackServerOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Tried first; when it is taken a free one is used. 0 asks for a free one. */
  readonly port: number;
  /** Only for tests of the refusal: anything but 127.0.0.1 is refused. */
  readonly address?: string;
  readonly logger: Logger;
  /** In ms: for the headers, for the whole request, and how often both are looked at. */
  readonly timeouts?: { readonly headers: number; readonly request: number; readonly check: number };
}

const loopback = '127.0.0.1';
const defaultTimeouts = { headers: 10_000, request: 120_000, check: 5_000 };

/**
 * Listens on 127.0.0.1, and on that address only: names may resolve to elsewhere, other spellings to every network.
 * @throws EngineError `invalid_config` for another address or a port that cannot be had
 */
export async function startLoopbackServer(options: LoopbackServerOptions): Promise<LoopbackServer> {
  const address = options.address ?? loopback;
  if (address !== loopback) {
    throw new EngineError(
      'invalid_config',
      `Strata listens on ${loopback} only, not on ${JSON.stringify(address)}: whoever reaches it reads every conversation.`,
    );
  }
  const server = makeServer(options);
  const port = await listenWithFallback(server, options);
  server.on('error', (error) => options.logger.error('http_server_error', { message: error.message }));
  return {
    port,
    url: `http://${loopback}:${port}`,
    stopAccepting: () => void server.close(),
    closeIdleConnections: () => server.closeIdleConnections(),
    closeAllConnections: () => server.closeAllConnections(),
  };
}

function makeServer(options: LoopbackServerOptions): Server {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const listener = getRequestListener(options.fetch, {
    // Stands in where the Host header is missing, so that the guard refuses it in the common form.
    hostname: 'missing.invalid',
    errorHandler: (error) => {
      options.logger.debug('request_unreadable', { message: error instanceof Error ? error.message : String(error) });
      return refusal('The request line or its headers cannot be read.').response();
    },
  });
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      // Longer than clients keep an idle connection: the side that sends should be the one that lets go of it.
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.on('clientError', (error, socket) => answerClientError(error, socket));
  return server;
}

async function listenWithFallback(server: Server, options: LoopbackServerOptions): Promise<number> {
  try {
    return await listen(server, options.port);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE' && options.port !== 0) {
      const port = await listen(server, 0);
      options.logger.warn('port_taken', { wanted: options.port, port });
      return port;
    }
    throw new EngineError(
      'invalid_config',
      `Cannot listen on ${loopback}:${options.port} (${code ?? 'unknown error'}). Choose another port in config.yaml; 0 takes a free one.`,
      { cause: error },
    );
  }
}

async function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: loopback, exclusive: true }, () => {
      server.off('error', reject);
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) resolve(bound.port);
      else reject(new Error('The server has no address.'));
    });
  });
}

/** What arrived is no HTTP request, or never became a whole one. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const why = unreadable[error.code ?? ''] ?? 'What arrived is not a valid HTTP request.';
  socket.end(refusal(why).raw());
}

const unreadable: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
};

function refusal(message: string): { response(): Response; raw(): string } {
  const { status, body } = toErrorReply(new EngineError('invalid_request', message));
  const text = JSON.stringify(body);
  const type = 'application/json; charset=utf-8';
  return {
    response: () => new Response(text, { status, headers: { 'Content-Type': type } }),
    raw: () =>
      `HTTP/1.1 ${status} Bad Request\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  };
}

import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { EngineError, errorStatus, type ErrorCode } from '../../../src-shared/model/engine-error.ts';
import { errorReplySchema } from '../../../src-shared/protocol/common.ts';
import type { RouteDefinition } from '../../../src-shared/protocol/route.ts';
import { fileFailure } from '../../settings/file-failure.ts';
import { isProcessAlive, readEndpoint, type Endpoint } from '../endpoint-file.ts';
import { readEventStream, type StreamedEvent } from './read-event-stream.ts';

/** Parts of a request; what a route does not have, or has defaults for, may be left out. */
export interface CallInput<R extends RouteDefinition> {
  readonly params?: z.input<R['params']>;
  readonly query?: z.input<R['query']>;
  readonly body?: z.input<R['body']>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** In ms; default 30 s. */
  readonly timeoutMs?: number;
}

export interface EventOptions {
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called when the daemon accepted the stream: what happens from now on will be in it. */
  readonly onOpen?: () => void;
}

/** Calls the daemon that owns a data directory, from Node. */
export interface DaemonClient {
  /**
   * @throws EngineError the daemon's own, or `daemon_unreachable` when none runs or answers,
   * `deadline_exceeded` after the timeout, `internal` when the answer is not what the route promises
   */
  call<R extends RouteDefinition>(route: R, input?: CallInput<R>, options?: CallOptions): Promise<z.output<R['reply']>>;
  /** Live events until `signal` aborts or the daemon ends the stream. Errors as `call`. */
  events(options?: EventOptions): AsyncIterable<StreamedEvent>;
  /** @throws EngineError `daemon_unreachable` */
  endpoint(): Promise<Endpoint>;
}

export function createDaemonClient(options: { readonly dataDir: string }): DaemonClient {
  return new FileDaemonClient(options.dataDir);
}

interface Known {
  readonly endpoint: Endpoint;
  readonly token: string;
}

class FileDaemonClient implements DaemonClient {
  readonly #dataDir: string;
  #known: Known | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async endpoint(): Promise<Endpoint> {
    const endpoint = await readEndpoint(this.#dataDir);
    if (endpoint && isProcessAlive(endpoint.pid)) return endpoint;
    throw new EngineError(
      'daemon_unreachable',
      `No daemon runs on ${this.#dataDir}. Start it with "npm start", or name its directory in STRATA_HOME.`,
    );
  }

  async call<R extends RouteDefinition>(
    route: R,
    input: CallInput<R> = {},
    options: CallOptions = {},
  ): Promise<z.output<R['reply']>> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const response = await this.#request(route, input, signal);
    const text = await response.text().catch((error: unknown) => {
      throw unreachable(error, this.#dataDir);
    });
    const value: unknown = route.replyKind === 'ndjson' ? text : parseReply(text, response.status);
    const reply = route.reply.safeParse(value);
    // The schema's output is what the type says; the parameter's own type cannot be followed through safeParse.
    if (reply.success) return reply.data as z.output<R['reply']>;
    throw new EngineError(
      'internal',
      `The daemon's answer to ${route.name} is not what this version expects. Both must be of one version: restart the daemon.`,
      { cause: reply.error },
    );
  }

  async *events(options: EventOptions = {}): AsyncGenerator<StreamedEvent> {
    const headers: Record<string, string> =
      options.lastEventId === undefined ? {} : { 'Last-Event-ID': options.lastEventId };
    const target = { method: 'GET', path: '/v1/events', headers } as const;
    const response = await this.#authorised((known) => send(known, target, options.signal));
    options.onOpen?.();
    yield* readEventStream(response, options.signal);
  }

  async #request<R extends RouteDefinition>(route: R, input: CallInput<R>, signal: AbortSignal): Promise<Response> {
    const path = fillPath(route.path, input.params) + queryText(input.query);
    const body = route.method === 'GET' ? undefined : JSON.stringify(input.body ?? {});
    const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return this.#authorised((known) => send(known, { method: route.method, path, headers, body }, signal));
  }

  /** What was read before may be of an earlier run of the daemon: then it is read again, once. */
  async #authorised(attempt: (known: Known) => Promise<Response>): Promise<Response> {
    const cached = this.#known;
    let rejected = false;
    if (cached) {
      const response = await attempt(cached).catch((error: unknown) => {
        if (isAbort(error)) throw unreachable(error, this.#dataDir);
        return undefined;
      });
      if (response?.ok) return response;
      if (response && response.status !== errorStatus.unauthorized) throw await errorOf(response);
      await response?.body?.cancel();
      rejected = response !== undefined;
      this.#known = undefined;
    }
    const known = await this.#read();
    if (cached && !rejected && isSame(cached, known)) {
      // Same daemon: it may have carried the call out before the connection broke, so it is not sent twice.
      throw unreachable(undefined, this.#dataDir);
    }
    const response = await attempt(known).catch((error: unknown) => {
      throw unreachable(error, this.#dataDir);
    });
    if (!response.ok) throw await errorOf(response);
    this.#known = known;
    return response;
  }

  async #read(): Promise<Known> {
    const endpoint = await this.endpoint();
    try {
      return { endpoint, token: (await readFile(endpoint.token_file, 'utf8')).trim() };
    } catch (error) {
      throw fileFailure(error, endpoint.token_file, 'Run as the user who owns the daemon');
    }
  }
}

function isSame(a: Known, b: Known): boolean {
  return a.endpoint.pid === b.endpoint.pid && a.endpoint.started_at === b.endpoint.started_at;
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

async function send(known: Known, target: Target, signal: AbortSignal | undefined): Promise<Response> {
  return fetch(known.endpoint.url + target.path, {
    method: target.method,
    headers: { ...target.headers, Authorization: `Bearer ${known.token}` },
    ...(target.body === undefined ? {} : { body: target.body }),
    ...(signal ? { signal } : {}),
    // The token must not follow a redirect to anywhere.
    redirect: 'error',
  });
}

function fillPath(path: string, params: unknown): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
    if (typeof value !== 'string') {
      throw new EngineError('invalid_request', `Expected the parameter "${name}" of ${path} to be a string.`);
    }
    return encodeURIComponent(value);
  });
}

function queryText(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function parseReply(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new EngineError('internal', `The daemon answered (${status}) with something that is not JSON.`, {
      cause: error,
    });
  }
}

async function errorOf(response: Response): Promise<EngineError> {
  const text = await response.text();
  const parsed = errorReplySchema.safeParse(parseReply(text, response.status));
  if (!parsed.success) {
    return new EngineError('internal', `The daemon answered ${response.status} without saying why.`);
  }
  const { code, message, details } = parsed.data.error;
  return new EngineError(isErrorCode(code) ? code : 'internal', message, details ? { details } : {});
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorStatus, code);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

function unreachable(error: unknown, dataDir: string): EngineError {
  if (error instanceof EngineError) return error;
  if (isAbort(error)) {
    return new EngineError(
      'deadline_exceeded',
      'The daemon did not answer in time. See its log for what it is doing.',
      {
        cause: error,
      },
    );
  }
  return new EngineError(
    'daemon_unreachable',
    `The daemon of ${dataDir} does not answer. Look at its log, or start it again with "npm start".`,
    { cause: error },
  );
}

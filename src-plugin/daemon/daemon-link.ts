import type { PluginConfig } from '../plugin-config.ts';
import type { SharedState } from '../shared-state.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { failed, type DaemonFailure, type DaemonResult } from './daemon-failure.ts';
import { findDaemon, type DaemonAddress } from './find-daemon.ts';
import { exchange, type HttpReply } from './http-exchange.ts';
import { healthRoute, type PluginRoute } from './plugin-routes.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked with so little time that its end says nothing of the daemon: it keeps no other call from it. */
  readonly mayBeSlow?: boolean;
}

interface Attempt {
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
  readonly mayBeSlow: boolean;
}

const probeTimeoutMs = 300;
const probeKeptMs = 2_000;

/** The way to the daemon: finds it, bounds every call, and returns failures instead of throwing them. */
export class DaemonLink {
  readonly #config: PluginConfig;
  readonly #shared: SharedState;
  readonly #breaker: CircuitBreaker;
  readonly #now: () => number;

  constructor(config: PluginConfig, shared: SharedState, now: () => number = Date.now) {
    this.#config = config;
    this.#shared = shared;
    this.#breaker = new CircuitBreaker(shared.breakers, now);
    this.#now = now;
  }

  async call<Body, Reply>(
    route: PluginRoute<Body, Reply>,
    body: Body | undefined,
    limits: CallLimits,
  ): Promise<DaemonResult<Reply>> {
    const found = await findDaemon(this.#config);
    if (!found.ok) return found;
    const address = found.reply;
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (!this.#breaker.enter(address.instance)) {
      return failed({
        kind: 'away',
        message: `The daemon at ${address.url} did not answer a moment ago; not asking again yet`,
      });
    }
    const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(limits.timeoutMs)));
    const signal = limits.signal === undefined ? deadline : AbortSignal.any([deadline, limits.signal]);
    const attempt = { signal, deadline, mayBeSlow: limits.mayBeSlow === true };
    let result = await this.#attempt(route, address, text, attempt);
    if (!result.ok && result.failure.status === 401 && this.#config.apiKey === undefined) {
      // A new daemon writes a new token after its endpoint file: read both once more.
      const again = await findDaemon(this.#config);
      if (again.ok && again.reply.token !== address.token) {
        result = await this.#attempt(route, again.reply, text, attempt);
      }
    }
    if (!result.ok && result.failure.status === 401) this.#rememberProbe(false);
    return result;
  }

  /** Whether the daemon is up, ready and reachable with a token; the answer of the last two seconds counts. */
  async isHealthy(): Promise<boolean> {
    const kept = this.#shared.probes.get(this.#probeKey());
    if (kept !== undefined && Math.abs(this.#now() - kept.at) < probeKeptMs) return kept.healthy;
    const found = await findDaemon(this.#config);
    let healthy = false;
    if (found.ok && found.reply.token !== undefined) {
      // Less than a busy machine may take; only a call that waited its own time tells of a daemon that hangs.
      const health = await this.call(healthRoute, undefined, { timeoutMs: probeTimeoutMs, mayBeSlow: true });
      healthy = health.ok && health.reply.ready;
      if (health.ok) this.#shared.daemonStartedAt = String(health.reply.fields['started_at']);
    }
    this.#rememberProbe(healthy);
    return healthy;
  }

  #probeKey(): string {
    return `${this.#config.baseUrl ?? ''} ${this.#config.port ?? ''} ${this.#config.dataDir}`;
  }

  #rememberProbe(healthy: boolean): void {
    this.#shared.probes.set(this.#probeKey(), { at: this.#now(), healthy });
  }

  async #attempt<Body, Reply>(
    route: PluginRoute<Body, Reply>,
    address: DaemonAddress,
    body: string | undefined,
    { signal, deadline, mayBeSlow }: Attempt,
  ): Promise<DaemonResult<Reply>> {
    let reply: HttpReply;
    try {
      reply = await exchange({
        url: address.url + route.path,
        method: route.method,
        token: address.token,
        body,
        signal,
      });
    } catch (error) {
      if (deadline.aborted) {
        if (mayBeSlow) this.#breaker.left(address.instance);
        else {
          this.#breaker.timedOut(address.instance);
          this.#rememberProbe(false);
        }
        return failed({
          kind: 'timeout',
          message: `The daemon at ${address.url} did not answer ${route.path} in time`,
        });
      }
      this.#breaker.left(address.instance);
      return failed({ kind: 'away', message: `No daemon answers at ${address.url}: ${messageOf(error)}` });
    }
    this.#breaker.answered(address.instance);
    return readReply(route, reply);
  }
}

function readReply<Body, Reply>(route: PluginRoute<Body, Reply>, { status, text }: HttpReply): DaemonResult<Reply> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed({
      kind: 'malformed',
      status,
      message: `${route.path} answered ${status} with something that is not JSON`,
    });
  }
  if (status >= 200 && status < 300) {
    const reply = route.read(value);
    if (reply !== undefined) return { ok: true, reply };
    return failed({ kind: 'malformed', status, message: `${route.path} answered without what the protocol promises` });
  }
  return failed(readError(route.path, status, value));
}

function readError(path: string, status: number, value: unknown): DaemonFailure {
  const error = isRecord(value) && value['ok'] === false && isRecord(value['error']) ? value['error'] : undefined;
  if (error === undefined || typeof error['code'] !== 'string') {
    return { kind: 'malformed', status, message: `${path} answered ${status} without an error of the protocol` };
  }
  const message = typeof error['message'] === 'string' ? error['message'] : `${path} was refused`;
  const details = isRecord(error['details']) ? error['details'] : undefined;
  return { kind: 'refused', status, code: error['code'], message, ...(details === undefined ? {} : { details }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

import { join } from 'node:path';
import type { DaemonFailure } from '../daemon/daemon-failure.ts';
import { isLasting } from '../daemon/daemon-failure.ts';
import type { DaemonLink } from '../daemon/daemon-link.ts';
import type { PluginConfig } from '../plugin-config.ts';
import type { SharedState } from '../shared-state.ts';
import { appendNow } from './append-now.ts';
import { failsAgainAndAgain } from './failed-deliveries.ts';
import { lackOf } from './lack-of.ts';
import { messagesIn, parseSpoolEntry, routeOf, type SpooledRoute } from './spool-entry.ts';
import { SpoolFiles } from './spool-files.ts';
import { takeSpoolLock } from './spool-lock.ts';

/** One waiting request may take so long (ms), within the time that the whole delivery has. */
const entryTimeoutMs = 10_000;

export interface SpoolState {
  readonly pending: number;
  readonly oldestAt: string | undefined;
  /** Requests that the daemon refused for good; they are not delivered any more. */
  readonly rejected: number;
}

/** `taken`, `aside` (for good), `failed` again and again, or `later`: the daemon takes no requests now. */
type Delivery =
  { readonly outcome: 'taken' | 'aside' | 'later' } | { readonly outcome: 'failed'; readonly reason: string };

/** Requests that wait on disk for a daemon that is away. */
export class Spool {
  readonly #files: SpoolFiles;
  readonly #link: DaemonLink;
  readonly #shared: SharedState;
  readonly #warn: (message: string) => void;
  readonly #now: () => number;

  constructor(parts: {
    config: PluginConfig;
    link: DaemonLink;
    shared: SharedState;
    warn: (message: string) => void;
    now?: () => number;
  }) {
    this.#now = parts.now ?? Date.now;
    this.#files = new SpoolFiles(join(parts.config.dataDir, 'spool'), this.#now);
    this.#link = parts.link;
    this.#shared = parts.shared;
    this.#warn = parts.warn;
  }

  async state(): Promise<SpoolState> {
    const names = await this.#files.list();
    const time = Number(names[0]?.slice(0, 15) ?? 0);
    const oldestAt = time === 0 ? undefined : new Date(time).toISOString();
    return { pending: names.length, oldestAt, rejected: await this.#files.countRejected() };
  }

  /** Makes a request wait. @throws when it could not be made durable */
  async append(path: SpooledRoute, body: unknown): Promise<void> {
    await this.#files.append(this.#entry(path, body));
  }

  /** Makes a request wait, on disk when this returns. @throws when it could not be made durable */
  appendNow(path: SpooledRoute, body: unknown): void {
    appendNow(this.#files.dir, this.#entry(path, body), this.#now());
  }

  /** Keeps a request that the daemon will never take. @throws when it could not be made durable */
  async keepRejected(path: SpooledRoute, body: unknown, failure: DaemonFailure): Promise<void> {
    await this.#files.reject(await this.#files.append(this.#entry(path, body)), reasonOf(failure));
    this.#warn(`The daemon refused a request for good; it is kept in ${this.#files.dir}/rejected: ${failure.message}`);
  }

  /** Whether a request of this route and session waits: what the daemon knows of the session is behind. */
  async holds(path: SpooledRoute, sessionId: string): Promise<boolean> {
    for (const name of await this.#files.list()) {
      const entry = parseSpoolEntry((await this.#files.read(name)) ?? '');
      const body = entry?.body;
      if (entry?.path !== path || typeof body !== 'object' || body === null) continue;
      if ('session_id' in body && body.session_id === sessionId) return true;
    }
    return false;
  }

  /**
   * Sends what waits, in order, for at most so long.
   * @returns how many requests still wait; the caller must not send newer ones while there are any. A spool that cannot
   * be read counts as empty: what is sent directly is stored, and that matters more than the order.
   */
  async deliver(timeoutMs: number): Promise<number> {
    try {
      return await this.#deliverOnce(timeoutMs);
    } catch (error) {
      this.#warn(`The spool in ${this.#files.dir} cannot be delivered: ${String(error)}`);
      return 0;
    }
  }

  async #deliverOnce(timeoutMs: number): Promise<number> {
    const pending = (await this.#files.list()).length;
    if (pending === 0) return 0;
    // Instances in this process join the delivery that runs, for no longer than they have time.
    const running = this.#shared.deliveries.get(this.#files.dir);
    if (running !== undefined) return await Promise.race([running, later(timeoutMs, pending)]);
    const delivery = this.#deliver(timeoutMs).finally(() => this.#shared.deliveries.delete(this.#files.dir));
    this.#shared.deliveries.set(this.#files.dir, delivery);
    return await delivery;
  }

  async #deliver(timeoutMs: number): Promise<number> {
    const end = performance.now() + timeoutMs;
    const lock = await takeSpoolLock(this.#files.dir, this.#now);
    if (lock === undefined) return (await this.#files.list()).length;
    // Why the daemon fails with some; they keep their place until it takes what stands behind them.
    const failed = new Map<string, string>();
    const waiting = async (): Promise<string[]> => (await this.#files.list()).filter((name) => !failed.has(name));
    try {
      for (let names = await waiting(); names.length > 0; names = await waiting()) {
        for (const name of names) {
          const left = end - performance.now();
          if (left <= 0) return (await this.#files.list()).length;
          const delivery = await this.#deliverOne(name, Math.min(left, entryTimeoutMs));
          if (delivery.outcome === 'later') return (await this.#files.list()).length;
          if (delivery.outcome === 'failed') failed.set(name, delivery.reason);
          if (delivery.outcome === 'taken') {
            // The daemon works: what it fails with would stop all others for ever.
            for (const [other, reason] of failed) await this.#putAside(other, reason);
            failed.clear();
          }
          await lock.touch();
        }
      }
      return failed.size;
    } finally {
      await lock.release();
    }
  }

  async #deliverOne(name: string, timeoutMs: number): Promise<Delivery> {
    const text = await this.#files.read(name);
    if (text === undefined) return { outcome: 'aside' };
    const entry = parseSpoolEntry(text);
    if (entry === undefined) {
      await this.#files.reject(name, 'The file is not a request of this plugin');
      this.#warn(`A damaged file of the spool was moved to ${this.#files.dir}/rejected`);
      return { outcome: 'aside' };
    }
    const result = await this.#link.call(routeOf(entry), entry.body, { timeoutMs });
    const lacks = result.ok ? lackOf(result.reply, messagesIn(entry)) : undefined;
    if (result.ok && lacks === undefined) {
      await this.#files.remove(name);
      this.#shared.failedDeliveries.delete(name);
      return { outcome: 'taken' };
    }
    if (!result.ok && !isLasting(result.failure)) {
      const isAgain = failsAgainAndAgain(name, result.failure, this.#shared, this.#now());
      return isAgain ? { outcome: 'failed', reason: reasonOf(result.failure) } : { outcome: 'later' };
    }
    // An answer that lacks turns again was given twice by now: waiting on would only stop all others.
    await this.#putAside(name, lacks ?? (result.ok ? '' : reasonOf(result.failure)));
    return { outcome: 'aside' };
  }

  async #putAside(name: string, reason: string): Promise<void> {
    await this.#files.reject(name, reason);
    this.#shared.failedDeliveries.delete(name);
    this.#warn(`The daemon refused a waiting request for good; it is kept in ${this.#files.dir}/rejected: ${reason}`);
  }

  #entry(path: SpooledRoute, body: unknown): string {
    return JSON.stringify({ version: 1, path, created_at: new Date(this.#now()).toISOString(), body });
  }
}

function reasonOf(failure: DaemonFailure): string {
  return `${failure.status ?? ''} ${failure.code ?? failure.kind}: ${failure.message}`.trim();
}

function later(ms: number, value: number): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, value).unref();
  });
}

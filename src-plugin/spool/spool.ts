import { join } from 'node:path';
import type { DaemonFailure } from '../daemon/daemon-failure.ts';
import { isLasting } from '../daemon/daemon-failure.ts';
import type { DaemonLink } from '../daemon/daemon-link.ts';
import type { PluginConfig } from '../plugin-config.ts';
import type { SharedState } from '../shared-state.ts';
import { appendNow } from './append-now.ts';
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
    try {
      let names = await this.#files.list();
      while (names.length > 0) {
        for (const name of names) {
          const left = end - performance.now();
          if (left <= 0 || !(await this.#deliverOne(name, Math.min(left, entryTimeoutMs)))) {
            return (await this.#files.list()).length;
          }
          await lock.touch();
        }
        names = await this.#files.list();
      }
      return 0;
    } finally {
      await lock.release();
    }
  }

  /** @returns false when the daemon does not take requests now */
  async #deliverOne(name: string, timeoutMs: number): Promise<boolean> {
    const text = await this.#files.read(name);
    if (text === undefined) return true;
    const entry = parseSpoolEntry(text);
    if (entry === undefined) {
      await this.#files.reject(name, 'The file is not a request of this plugin');
      this.#warn(`A damaged file of the spool was moved to ${this.#files.dir}/rejected`);
      return true;
    }
    const result = await this.#link.call(routeOf(entry), entry.body, { timeoutMs });
    const lacks = result.ok ? lackOf(result.reply, messagesIn(entry)) : undefined;
    if (result.ok && lacks === undefined) {
      await this.#files.remove(name);
      return true;
    }
    if (!result.ok && !isLasting(result.failure)) return false;
    // An answer that lacks turns again was given twice by now: waiting on would only stop all others.
    const reason = lacks ?? (result.ok ? '' : reasonOf(result.failure));
    await this.#files.reject(name, reason);
    this.#warn(`The daemon refused a waiting request for good; it is kept in ${this.#files.dir}/rejected: ${reason}`);
    return true;
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

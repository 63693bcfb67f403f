import type { DaemonLink } from '../daemon/daemon-link.ts';
import { hostEventsRoute, type HostEventInput } from '../daemon/plugin-routes.ts';
import type { SharedState } from '../shared-state.ts';

const gatherMs = 20;
const timeoutMs = 1_000;
const settleMs = 1_500;
const largestBatch = 100;

/**
 * Sends what the plugin saw of the host, a few at a time and once: these are observations, and an old one would only
 * mislead a daemon that was away when it happened.
 */
export class HostEventOutbox {
  readonly #link: DaemonLink;
  readonly #shared: SharedState;
  #waiting: HostEventInput[] = [];
  #running = false;

  constructor(link: DaemonLink, shared: SharedState) {
    this.#link = link;
    this.#shared = shared;
  }

  add(event: HostEventInput): void {
    if (this.#waiting.length < largestBatch) this.#waiting.push(event);
    if (this.#running) return;
    this.#running = true;
    const sending = this.#gatherAndSend().finally(() => this.#shared.sending.delete(sending));
    this.#shared.sending.add(sending);
  }

  /** Resolves when what all instances added so far is sent or given up, at the latest after 1.5 s; never rejects. */
  async settled(): Promise<void> {
    if (this.#shared.sending.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, settleMs);
    });
    await Promise.race([Promise.all(this.#shared.sending), enough]);
    clearTimeout(timer);
  }

  async #gatherAndSend(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    while (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      // Nothing waits for the answer; whether the daemon is there shows in the calls that matter.
      await this.#link.call(hostEventsRoute, { events }, { timeoutMs, mayBeSlow: true });
    }
    this.#running = false;
  }
}

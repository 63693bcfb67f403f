import { setImmediate } from 'node:timers/promises';

/** Longest piece of work without a pause (ms); requests that come in between are answered then. */
const longest = 8;

/** Lets long work step aside for what else the process has to do; it changes when something is done, never what. */
export class Pacer {
  #since = performance.now();

  /** Whether it is time for a pause; asking is cheap. */
  isDue(): boolean {
    return performance.now() - this.#since > longest;
  }

  async pauseIfDue(): Promise<void> {
    if (this.isDue()) await this.pause();
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

import { setImmediate } from 'node:timers/promises';

/** Longest piece of work without a pause (ms); requests that come in between are answered then. */
const longest = 8;

/**
 * When the event loop was last known to come round. One for the process: work that is made of many steps, each with a
 * pacer of its own, would otherwise hold up the loop for the longest piece of each step in turn.
 */
let cameRound = performance.now();

/** Lets long work step aside for what else the process has to do; it changes when something is done, never what. */
export class Pacer {
  /** Whether it is time for a pause; asking is cheap. After other work, or none, it mostly is. */
  isDue(): boolean {
    return performance.now() - cameRound > longest;
  }

  async pauseIfDue(): Promise<void> {
    if (this.isDue()) await this.pause();
  }

  async pause(): Promise<void> {
    await setImmediate();
    cameRound = performance.now();
  }
}

import type { BreakerState } from '../shared-state.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 15_000;

/**
 * Keeps a daemon that hangs from costing every call its full timeout: after a timeout calls fail at once for a while,
 * then one call tries. A refused connection costs nothing and does not count.
 */
export class CircuitBreaker {
  readonly #breakers: Map<string, BreakerState>;
  readonly #now: () => number;

  constructor(breakers: Map<string, BreakerState>, now: () => number) {
    this.#breakers = breakers;
    this.#now = now;
  }

  /** Whether calls to this instance of the daemon would fail at once. */
  isOpen(instance: string): boolean {
    const state = this.#breakers.get(instance);
    return state !== undefined && (state.trialRunning || this.#now() < state.openUntil);
  }

  /** Takes the right to call; false means fail at once. */
  enter(instance: string): boolean {
    if (this.isOpen(instance)) return false;
    const state = this.#breakers.get(instance);
    if (state !== undefined) state.trialRunning = true;
    return true;
  }

  answered(instance: string): void {
    this.#breakers.delete(instance);
  }

  /** A call that was entered ended without an answer and without a timeout. */
  left(instance: string): void {
    const state = this.#breakers.get(instance);
    if (state !== undefined) state.trialRunning = false;
  }

  timedOut(instance: string): void {
    const failures = (this.#breakers.get(instance)?.failures ?? 0) + 1;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    // Instances come and go with restarts; only the newest few matter.
    if (this.#breakers.size > 20) this.#breakers.clear();
    this.#breakers.set(instance, { failures, openUntil: this.#now() + pause, trialRunning: false });
  }
}

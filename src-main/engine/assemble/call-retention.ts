import type { EngineParts } from '../engine-parts.ts';

/** Calls between two looks at what is too old; as many are removed at once at most, unless the limit was lowered. */
const every = 500;

/** Removes the oldest calls beyond `retention.calls`, in the background: at the first call of the process, then now and then. */
export class CallRetention {
  readonly #parts: EngineParts;
  #sinceLast = every - 1;
  #running: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  noteRecorded(): void {
    this.#sinceLast += 1;
    if (this.#sinceLast < every || this.#running) return;
    this.#sinceLast = 0;
    this.#running = this.#prune().finally(() => (this.#running = undefined));
  }

  /** Resolves when nothing is being removed; never rejects. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #prune(): Promise<void> {
    const { store, config, log } = this.#parts;
    try {
      const removed = await store.pruneCalls(config.retention.calls);
      if (removed > 0) log('info', 'old calls were removed', { removed, kept: config.retention.calls });
    } catch (error) {
      // Too many records harm nobody; the next look tries again.
      log('warn', 'old calls could not be removed', {
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

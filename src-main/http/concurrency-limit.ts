import { EngineError } from '../../src-shared/model/engine-error.ts';

/** Runs work at once or refuses it with `busy`; nothing queues. */
export function createConcurrencyLimit(most: number, what: string): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    if (running >= most) {
      throw new EngineError('busy', `Expected at most ${most} ${what} at once. Try again in a moment.`, {
        details: { limit: most },
      });
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}

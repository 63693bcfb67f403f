import { EngineError } from '../../src-shared/model/engine-error.ts';

/** Counts what runs, so that stopping can wait for it. */
export interface Activity {
  /** @throws EngineError `shutting_down` after `stop` */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new work from now on. */
  stop(): void;
  /** True when everything ended within `deadlineMs`. */
  whenIdle(deadlineMs: number): Promise<boolean>;
}

export function createActivity(): Activity {
  let running = 0;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  return {
    async run(work) {
      if (stopped) {
        throw new EngineError('shutting_down', 'Strata is stopping. Try again when it is back.');
      }
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) onIdle?.();
      }
    },
    stop() {
      stopped = true;
    },
    async whenIdle(deadlineMs) {
      if (running === 0) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), deadlineMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
  };
}

import { createStore, type StoreApi } from 'zustand/vanilla';

export interface NowStore extends StoreApi<{ readonly now: number }> {
  start(): () => void;
}

/** The time that ages are shown against; moves in steps, so that a page full of times renders rarely. */
export function createNowStore(clock: () => number, stepMs = 5_000): NowStore {
  const store = createStore(() => ({ now: clock() }));
  return {
    ...store,
    start() {
      const timer = setInterval(() => store.setState({ now: clock() }), stepMs);
      return () => clearInterval(timer);
    },
  };
}

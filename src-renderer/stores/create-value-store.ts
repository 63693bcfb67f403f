import { createStore, type StoreApi } from 'zustand/vanilla';
import { asClientError, type ClientError } from '../client/client-error.ts';

export interface ValueState<T> {
  readonly value: T | undefined;
  readonly status: 'idle' | 'loading' | 'ready' | 'error';
  /** Set while the newest request failed; an older value then stays, and is stale. */
  readonly error: ClientError | undefined;
  /** When the value was read, ms since the epoch. */
  readonly loadedAt: number | undefined;
}

export interface ValueStore<T> extends StoreApi<ValueState<T>> {
  /** Reads the value unless it is there or on its way. */
  load(): Promise<void>;
  /** Reads it again; asked for during a reading, it is read once more afterwards. */
  refresh(): Promise<void>;
}

/** One thing that is read from the engine. */
export function createValueStore<T>(read: () => Promise<T>, now: () => number): ValueStore<T> {
  const store = createStore<ValueState<T>>(() => ({
    value: undefined,
    status: 'idle',
    error: undefined,
    loadedAt: undefined,
  }));
  let running: Promise<void> | undefined;
  let again = false;

  const readOnce = async () => {
    if (store.getState().value === undefined) store.setState({ status: 'loading', error: undefined });
    try {
      const value = await read();
      store.setState({ value, status: 'ready', error: undefined, loadedAt: now() });
    } catch (error) {
      store.setState({ status: 'error', error: asClientError(error) });
    }
  };
  const readUntilCalm = async () => {
    do {
      again = false;
      await readOnce();
    } while (again);
    running = undefined;
  };
  const refresh = () => {
    if (running !== undefined) again = true;
    return (running ??= readUntilCalm());
  };
  return {
    ...store,
    refresh,
    load: () => running ?? (store.getState().status === 'ready' ? Promise.resolve() : refresh()),
  };
}

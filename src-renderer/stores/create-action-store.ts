import { createStore, type StoreApi } from 'zustand/vanilla';
import { asClientError, type ClientError } from '../client/client-error.ts';

export interface ActionState<T> {
  readonly status: 'idle' | 'running' | 'done' | 'failed';
  /** When the newest attempt began, ms since the epoch. */
  readonly startedAt: number | undefined;
  readonly result: T | undefined;
  readonly error: ClientError | undefined;
}

export interface ActionStore<I, T> extends StoreApi<ActionState<T>> {
  /** Does it; never rejects. Asked for while it is being done, that one's outcome is waited for. */
  run(input: I): Promise<void>;
  /** Forgets the outcome; what is being done goes on and is not shown. */
  reset(): void;
}

const idle = { status: 'idle', startedAt: undefined, result: undefined, error: undefined } as const;

/** Something that a person sets off, with its outcome. */
export function createActionStore<I, T>(act: (input: I) => Promise<T>, now: () => number): ActionStore<I, T> {
  const store = createStore<ActionState<T>>(() => idle);
  let running: Promise<void> | undefined;
  let round = 0;

  const runOnce = async (input: I, mine: number) => {
    store.setState({ status: 'running', startedAt: now(), result: undefined, error: undefined });
    const outcome = await act(input).then(
      (result) => ({ status: 'done', result, error: undefined }) as const,
      (error: unknown) => ({ status: 'failed', result: undefined, error: asClientError(error) }) as const,
    );
    if (mine !== round) return;
    running = undefined;
    store.setState(outcome);
  };
  return {
    ...store,
    run: (input) => (running ??= runOnce(input, round)),
    reset: () => {
      round += 1;
      running = undefined;
      store.setState(idle);
    },
  };
}

import { afterEach, beforeEach, describe } from 'vitest';
import type { SessionStore } from '../../engine/ports/session-store.ts';

/** One store implementation on one place of its own. */
export interface StoreSubject {
  /** Opens the store; called again after `close` it must find what was stored. */
  open(): Promise<SessionStore>;
  dispose(): Promise<void>;
}

export type CreateSubject = () => Promise<StoreSubject>;

/** What a test of the contract works with. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Between acting and looking: the same store, or one that was closed and opened again. */
  settle(): Promise<void>;
}

/** Runs the tests twice: on the store that did the work, and on one that was opened again after it. */
export function describeInBothStates(
  title: string,
  createSubject: CreateSubject,
  tests: (under: StoreUnderTest) => void,
): void {
  describe.each(['fresh', 'reopened'] as const)(`${title} (%s)`, (state) => {
    let subject: StoreSubject;
    let store: SessionStore;

    beforeEach(async () => {
      subject = await createSubject();
      store = await subject.open();
    });
    afterEach(async () => {
      await store.close();
      await subject.dispose();
    });

    tests({
      get store() {
        return store;
      },
      async settle() {
        if (state === 'fresh') return;
        await store.close();
        store = await subject.open();
      },
    });
  });
}

import type { SessionStore } from '../../ports/session-store.ts';

/** The real store, with some of its methods in other hands. */
export function wrapped(change: (store: SessionStore) => Partial<SessionStore>): (store: SessionStore) => SessionStore {
  return (store) => {
    const changed = new Map(Object.entries(change(store)));
    return new Proxy(store, {
      get: (target, name: string) => {
        const own: unknown = changed.get(name) ?? Reflect.get(target, name);
        return typeof own === 'function' ? (own.bind(target) as unknown) : own;
      },
    });
  };
}

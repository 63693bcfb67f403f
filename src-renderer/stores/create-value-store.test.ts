import { describe, expect, it } from 'vitest';
import { ClientError } from '../client/client-error.ts';
import { createValueStore } from './create-value-store.ts';

describe('a value that is read', () => {
  it('is read once however often it is loaded', async () => {
    let reads = 0;
    const store = createValueStore(
      () => Promise.resolve(++reads),
      () => 5,
    );
    await Promise.all([store.load(), store.load()]);
    await store.load();
    expect(store.getState()).toEqual({ value: 1, status: 'ready', error: undefined, loadedAt: 5 });
  });

  it('is read once more when a refresh comes while it is being read', async () => {
    let reads = 0;
    const store = createValueStore(
      () => Promise.resolve(++reads),
      () => 5,
    );
    await Promise.all([store.refresh(), store.refresh(), store.refresh()]);
    expect(store.getState().value).toBe(2);
  });

  it('keeps the old value, with its age, while it cannot be read', async () => {
    let time = 10;
    let failure: Error | undefined;
    const read = () => (failure === undefined ? Promise.resolve('old') : Promise.reject(failure));
    const store = createValueStore(read, () => time);
    await store.load();
    time = 20;
    failure = new ClientError('unreachable', 'gone');
    await store.refresh();
    expect(store.getState()).toMatchObject({
      value: 'old',
      status: 'error',
      error: { code: 'unreachable' },
      loadedAt: 10,
    });
    failure = undefined;
    await store.load();
    expect(store.getState()).toMatchObject({ status: 'ready', error: undefined, loadedAt: 20 });
  });

  it('shows that it is loading only while there is nothing to show', async () => {
    const seen: string[] = [];
    const store = createValueStore(
      () => Promise.resolve(1),
      () => 0,
    );
    store.subscribe((state) => seen.push(state.status));
    await store.load();
    await store.refresh();
    expect(seen).toEqual(['loading', 'ready', 'ready']);
  });
});

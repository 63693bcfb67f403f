import { describe, expect, it } from 'vitest';
import { ClientError } from '../client/client-error.ts';
import { createActionStore } from './create-action-store.ts';

describe('an action', () => {
  it('is running with its start, then done with its result', async () => {
    const store = createActionStore(
      (input: string) => Promise.resolve(`did ${input}`),
      () => 7,
    );
    const running = store.run('it');
    expect(store.getState()).toMatchObject({ status: 'running', startedAt: 7 });
    await running;
    expect(store.getState()).toMatchObject({ status: 'done', result: 'did it', error: undefined });
  });

  it('that fails says with what, and can be done again', async () => {
    let fails = true;
    const store = createActionStore(
      () => (fails ? Promise.reject(new ClientError('checkpoint_conflict', 'changed')) : Promise.resolve('done')),
      () => 0,
    );
    await store.run(undefined);
    expect(store.getState()).toMatchObject({ status: 'failed', error: { code: 'checkpoint_conflict' } });
    fails = false;
    await store.run(undefined);
    expect(store.getState()).toMatchObject({ status: 'done', result: 'done', error: undefined });
  });

  it('is done once when it is asked for twice at a time', async () => {
    let done = 0;
    const store = createActionStore(
      () => Promise.resolve((done += 1)),
      () => 0,
    );
    await Promise.all([store.run(undefined), store.run(undefined)]);
    expect(done).toBe(1);
  });

  it('that was reset does not show an outcome that comes later', async () => {
    const store = createActionStore(
      (input: string) => Promise.resolve(input),
      () => 0,
    );
    const old = store.run('old');
    store.reset();
    await old;
    expect(store.getState().status).toBe('idle');
    await store.run('new');
    expect(store.getState().result).toBe('new');
  });
});

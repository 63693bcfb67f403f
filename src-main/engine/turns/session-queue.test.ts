import { expect, it } from 'vitest';
import { SessionQueue } from './session-queue.ts';

/** Work that ends when it is told to. */
function controlled(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const work = async (): Promise<string> => {
    log.push(`${name} starts`);
    await promise;
    log.push(`${name} ends`);
    return name;
  };
  return { work, resolve, reject };
}

it('work of one session runs in the order in which it came, that of another at once', async () => {
  const queue = new SessionQueue();
  const log: string[] = [];
  const [first, second, other] = ['first', 'second', 'other'].map((name) => controlled(log, name));
  const runs = [queue.run('a', first!.work), queue.run('a', second!.work), queue.run('b', other!.work)];
  other!.resolve();
  await runs[2];
  expect(log).toEqual(['first starts', 'other starts', 'other ends']);
  first!.resolve();
  second!.resolve();
  expect(await Promise.all(runs)).toEqual(['first', 'second', 'other']);
  expect(log.slice(3)).toEqual(['first ends', 'second starts', 'second ends']);
});

it('work that fails is its own caller’s failure, and does not stop the next', async () => {
  const queue = new SessionQueue();
  const failing = queue.run('a', () => Promise.reject(new Error('no')));
  const next = queue.run('a', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

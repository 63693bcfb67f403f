import { expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.ts';
import { openRecallFixture, testPage } from './testing/recall-fixture.ts';

const north: Embedder = {
  id: 'north',
  dimension: 2,
  embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1, 0]))),
  close: () => Promise.resolve(),
};

it('S65: when a search is ended, none of its questions to the index fails without somebody who hears of it', async () => {
  const unheard: unknown[] = [];
  const note = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', note);
  const controller = new AbortController();
  let asked = 0;
  const { index, recall } = await openRecallFixture({
    embedder: north,
    // As a worker does: what waits fails at once when it is given up.
    wrapIndex: (inner) =>
      new Proxy(inner, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'searchVectors') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          return () =>
            new Promise((_, reject) => {
              controller.signal.addEventListener('abort', () => reject(new Error('given up')));
              asked += 1;
              if (asked === 2) setTimeout(() => controller.abort(), 0);
            });
        },
      }),
  });
  await index.putPages([testPage({ path: 'x/b', title: 'Boat', text: 'A new sail.' })]);
  await recall('boat sail', { signal: controller.signal });
  // Rejections that nobody hears of are told after the microtasks of a turn of the loop.
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  expect(asked).toBe(2);
  expect(unheard).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { BodyCache } from './body-cache.ts';

function countingStore(bodyOf: (hash: string) => string | undefined) {
  const asked: string[] = [];
  const readBodies = (hashes: readonly string[]) => {
    asked.push(...hashes);
    return Promise.resolve(
      new Map(hashes.flatMap((hash) => (bodyOf(hash) === undefined ? [] : [[hash, bodyOf(hash) ?? ''] as const]))),
    );
  };
  return { asked, readBodies };
}

describe('BodyCache', () => {
  it('reads a body once', async () => {
    const store = countingStore((hash) => `body of ${hash}`);
    const cache = new BodyCache(store);
    await cache.readBodies(['a', 'b']);
    expect([...(await cache.readBodies(['b', 'a', 'c']))].toSorted()).toEqual([
      ['a', 'body of a'],
      ['b', 'body of b'],
      ['c', 'body of c'],
    ]);
    expect(store.asked).toEqual(['a', 'b', 'c']);
  });

  it('writes a held body as bytes once, and any other when it is asked for', async () => {
    const cache = new BodyCache(countingStore(() => '中文'));
    await cache.readBodies(['a']);
    expect(cache.bytesOf('a', '中文')).toEqual(new TextEncoder().encode('中文'));
    expect(cache.bytesOf('a', '中文')).toBe(cache.bytesOf('a', '中文'));
    expect(cache.bytesOf('b', 'x')).toEqual(new TextEncoder().encode('x'));
  });

  it('asks again for what was not there', async () => {
    const store = countingStore(() => undefined);
    const cache = new BodyCache(store);
    await cache.readBodies(['a']);
    expect((await cache.readBodies(['a'])).size).toBe(0);
    expect(store.asked).toEqual(['a', 'a']);
  });

  it('lets the oldest go when it holds too much, and never holds a huge one', async () => {
    const store = countingStore((hash) => (hash === 'huge' ? 'x'.repeat(200_000) : 'y'.repeat(90_000)));
    const cache = new BodyCache(store);
    await cache.readBodies(['huge']);
    await cache.readBodies(['huge']);
    const many = Array.from({ length: 50 }, (_, index) => `n${index}`);
    await cache.readBodies(many);
    store.asked.length = 0;
    await cache.readBodies(['huge', 'n0', 'n49']);
    expect(store.asked).toEqual(['huge', 'n0']);
  });

  it('says whether a held body may have reasoning in it, and looks again where the text is another one', async () => {
    const cache = new BodyCache(countingStore((hash) => (hash === 'a' ? '{"type":"thinking"}' : '{"type":"text"}')));
    const bodies = await cache.readBodies(['a', 'b']);
    expect(cache.mayThink('a', bodies.get('a') ?? '')).toBe(true);
    expect(cache.mayThink('b', bodies.get('b') ?? '')).toBe(false);
    expect(cache.mayThink('b', '{ "type": "thinking" }')).toBe(true);
    expect(cache.mayThink('none', '{}')).toBe(false);
  });
});

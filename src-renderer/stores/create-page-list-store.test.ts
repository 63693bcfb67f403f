import { describe, expect, it } from 'vitest';
import { sampleHead } from '../model/testing/memory-samples.ts';
import { createPageListStore } from './create-page-list-store.ts';

const page = (name: string, over = {}) => sampleHead({ uri: `strata://resources/${name}`, title: name, ...over });

describe('the list of all files', () => {
  it('is read to its end, and shows what is there meanwhile', async () => {
    const seen: number[] = [];
    const list = createPageListStore({
      fetchPage: (cursor) =>
        Promise.resolve(
          cursor === undefined
            ? { items: [page('a'), page('b')], total: 3, next_cursor: 'c' }
            : { items: [page('c')], total: 3 },
        ),
      now: () => 7,
    });
    list.subscribe((state) => seen.push(state.pages.length));
    await list.load();
    expect(seen).toContain(2);
    expect(list.getState()).toMatchObject({ status: 'ready', total: 3, loadedAt: 7 });
    expect(list.getState().pages.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  });

  it('keeps what was read when a later reading fails', async () => {
    let fails = false;
    const list = createPageListStore({
      fetchPage: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve({ items: [page('a')], total: 1 })),
      now: () => 7,
    });
    await list.load();
    fails = true;
    await list.refresh();
    expect(list.getState()).toMatchObject({ status: 'error', total: 1, error: { code: 'internal' } });
  });

  it('takes in pages that were read elsewhere, and lets go of those that are gone', async () => {
    const list = createPageListStore({
      fetchPage: () => Promise.resolve({ items: [page('a'), page('b')], total: 2 }),
      now: () => 7,
    });
    await list.load();
    list.put(page('b', { pinned: true }));
    list.put(page('c'));
    list.remove(new Set([page('a').uri]));
    expect(list.getState().pages.map(({ title, pinned }) => `${title} ${pinned}`)).toEqual(['b true', 'c false']);
    expect(list.getState().total).toBe(2);
  });
});

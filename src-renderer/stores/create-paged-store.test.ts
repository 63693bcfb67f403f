import { describe, expect, it } from 'vitest';
import { ClientError } from '../client/client-error.ts';
import { createPagedStore, type PageOf, type PagedStore } from './create-paged-store.ts';

interface Item {
  readonly id: number;
  readonly text: string;
}

/** A list on the other side that grows; cursors are the id of the last item of the page before. */
class Source {
  items: Item[] = [];
  readonly asked: (string | undefined)[] = [];
  failure: Error | undefined;
  pageSize = 3;
  growsAt: 'head' | 'tail' = 'head';

  add(...ids: number[]): void {
    for (const id of ids) {
      const item = { id, text: `item ${id}` };
      if (this.growsAt === 'head') this.items.unshift(item);
      else this.items.push(item);
    }
  }

  readonly fetchPage = (cursor: string | undefined): Promise<PageOf<Item>> => {
    this.asked.push(cursor);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const start = cursor === undefined ? 0 : this.items.findIndex((item) => String(item.id) === cursor) + 1;
    const items = this.items.slice(start, start + this.pageSize);
    const isLast = start + items.length >= this.items.length;
    const next = isLast ? {} : { next_cursor: String(items.at(-1)?.id) };
    return Promise.resolve({ items, total: this.items.length, ...next });
  };
}

function storeOver(source: Source): PagedStore<Item> {
  const { fetchPage, growsAt } = source;
  return createPagedStore({ fetchPage, keyOf: (item) => String(item.id), growsAt, now: () => 1_000 });
}

const ids = (store: PagedStore<Item>) => store.getState().items.map((item) => item.id);

describe('a list that grows at its head', () => {
  it('reads the first page once, then page by page until the end', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4, 5, 6, 7);
    const store = storeOver(source);
    await Promise.all([store.load(), store.load()]);
    await store.load();
    expect(ids(store)).toEqual([7, 6, 5]);
    expect(store.getState()).toMatchObject({ total: 7, hasMore: true, status: 'ready', loadedAt: 1_000 });
    await store.loadMore();
    await store.loadMore();
    await store.loadMore();
    expect(ids(store)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(store.getState().hasMore).toBe(false);
    expect(source.asked).toEqual([undefined, '5', '2']);
  });

  it('puts what is new before what was read, keeps the place in the list, and marks the new', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4, 5, 6);
    const store = storeOver(source);
    await store.load();
    await store.loadMore();
    source.add(7, 8);
    await store.refresh();
    expect(ids(store)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(store.getState()).toMatchObject({ total: 8, hasMore: false });
    expect([...store.getState().arrived].sort()).toEqual(['7', '8']);
  });

  it('starts anew when more came than a page holds: a list with a hole would be a lie', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4);
    const store = storeOver(source);
    await store.load();
    await store.loadMore();
    source.add(5, 6, 7, 8, 9);
    await store.refresh();
    expect(ids(store)).toEqual([9, 8, 7]);
    await store.loadMore();
    expect(ids(store)).toEqual([9, 8, 7, 6, 5, 4]);
  });

  it('takes over what changed in items that it has', async () => {
    const source = new Source();
    source.add(1, 2);
    const store = storeOver(source);
    await store.load();
    source.items[0] = { id: 2, text: 'with usage' };
    await store.refresh();
    expect(store.getState().items[0]?.text).toBe('with usage');
    expect(store.getState().arrived.size).toBe(0);
  });

  it('moves an item that became the newest without showing it twice', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4, 5);
    const store = storeOver(source);
    await store.load();
    await store.loadMore();
    source.items = [1, 5, 4, 3, 2].map((id) => ({ id, text: 'moved' }));
    await store.refresh();
    expect(ids(store)).toEqual([1, 5, 4, 3, 2]);
  });

  it('keeps its items when a later request fails, and says so', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4);
    const store = storeOver(source);
    await store.load();
    source.failure = new ClientError('unreachable', 'gone');
    await store.loadMore();
    expect(ids(store)).toEqual([4, 3, 2]);
    expect(store.getState()).toMatchObject({ status: 'error', loadingMore: false, error: { code: 'unreachable' } });
    source.failure = undefined;
    await store.loadMore();
    expect(ids(store)).toEqual([4, 3, 2, 1]);
    expect(store.getState().error).toBeUndefined();
  });

  it('reads the first page by a refresh when the first attempt failed', async () => {
    const source = new Source();
    source.add(1);
    source.failure = new Error('not a ClientError');
    const store = storeOver(source);
    await store.load();
    expect(store.getState()).toMatchObject({ status: 'error', error: { name: 'ClientError' }, loadedAt: undefined });
    source.failure = undefined;
    await store.refresh();
    expect(ids(store)).toEqual([1]);
  });

  it('does nothing on a refresh that comes before the first load', async () => {
    const source = new Source();
    await storeOver(source).refresh();
    expect(source.asked).toEqual([]);
  });

  it('folds refreshes that wait into one', async () => {
    const source = new Source();
    source.add(1);
    const store = storeOver(source);
    await store.load();
    await Promise.all([store.refresh(), store.refresh(), store.refresh()]);
    expect(source.asked).toEqual([undefined, undefined]);
  });
});

describe('a list that grows at its tail', () => {
  it('appends what came to the last page that it read', async () => {
    const source = new Source();
    source.growsAt = 'tail';
    source.add(1, 2, 3, 4);
    const store = storeOver(source);
    await store.load();
    await store.loadMore();
    source.add(5);
    await store.refresh();
    expect(ids(store)).toEqual([1, 2, 3, 4, 5]);
    expect([...store.getState().arrived]).toEqual(['5']);
    source.add(6, 7);
    await store.refresh();
    expect(store.getState()).toMatchObject({ total: 7, hasMore: true });
    await store.loadMore();
    expect(ids(store)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a list whose old items change', () => {
  const changingOver = ({ fetchPage }: Source) =>
    createPagedStore<Item>({
      fetchPage,
      keyOf: (item) => String(item.id),
      growsAt: 'head',
      changesAnywhere: true,
      now: () => 1_000,
    });

  it('reads all pages again that were read, and marks only what is new', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4, 5, 6, 7, 8);
    const store = changingOver(source);
    await store.load();
    await store.loadMore();
    source.items = source.items.map((item) => (item.id === 3 ? { id: 3, text: 'folded' } : item));
    source.add(9);
    await store.refresh();
    expect(ids(store)).toEqual([9, 8, 7, 6, 5, 4]);
    await store.loadMore();
    expect(store.getState().items.find((item) => item.id === 3)?.text).toBe('folded');
    expect([...store.getState().arrived]).toEqual(['9']);
  });

  it('keeps what it has when reading it again fails half-way', async () => {
    const source = new Source();
    source.add(1, 2, 3, 4, 5);
    const store = changingOver(source);
    await store.load();
    await store.loadMore();
    source.failure = new ClientError('unreachable', 'gone');
    await store.refresh();
    expect(ids(store)).toEqual([5, 4, 3, 2, 1]);
    expect(store.getState()).toMatchObject({ status: 'error', error: { code: 'unreachable' } });
  });

  it('takes over what was heard of an item', async () => {
    const source = new Source();
    source.add(1, 2);
    const store = changingOver(source);
    await store.load();
    store.change('1', (item) => ({ ...item, text: 'heard' }));
    expect(store.getState().items.map((item) => item.text)).toEqual(['item 2', 'heard']);
  });
});

describe('a list that is searched', () => {
  it('is read until its end, or until so many items are there', async () => {
    const source = new Source();
    source.growsAt = 'tail';
    source.add(1, 2, 3, 4, 5, 6, 7);
    const store = storeOver(source);
    await store.loadUntil(5);
    expect(ids(store)).toEqual([1, 2, 3, 4, 5, 6]);
    await store.loadUntil(100);
    expect(ids(store)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(store.getState().hasMore).toBe(false);
  });

  it('stops reading at a failure', async () => {
    const source = new Source();
    source.growsAt = 'tail';
    source.add(1, 2, 3, 4, 5, 6, 7);
    const store = storeOver(source);
    await store.load();
    source.failure = new ClientError('unreachable', 'gone');
    await store.loadUntil(100);
    expect(source.asked).toHaveLength(2);
    expect(store.getState().status).toBe('error');
  });
});

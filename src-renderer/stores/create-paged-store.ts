import { createStore, type StoreApi } from 'zustand/vanilla';
import { asClientError, type ClientError } from '../client/client-error.ts';

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next_cursor?: string | undefined;
  readonly total: number;
}

export interface PagedState<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** `idle` until the first load; `error` when the newest request failed (the items stay). */
  readonly status: 'idle' | 'loading' | 'ready' | 'error';
  readonly error: ClientError | undefined;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  /** When the list was last known to be true, ms since the epoch. */
  readonly loadedAt: number | undefined;
  /** Items that came in after the first load, so that they can be marked once. */
  readonly arrived: ReadonlySet<string>;
}

export interface PagedStore<T> extends StoreApi<PagedState<T>> {
  /** The first page, unless it is there. */
  load(): Promise<void>;
  /** The page after the last one. */
  loadMore(): Promise<void>;
  /** What changed since: new items at the growing end, changed ones in place. */
  refresh(): Promise<void>;
  /** Reads on until the end of the list, or until so many items are there; stops at the first failure. */
  loadUntil(count: number): Promise<void>;
  /** Changes an item by what was heard of it; the next reading has the last word. */
  change(key: string, change: (item: T) => T): void;
}

export interface PagedStoreParts<T> {
  readonly fetchPage: (cursor: string | undefined) => Promise<PageOf<T>>;
  readonly keyOf: (item: T) => string;
  /** `head`: new items come first (newest first); `tail`: they come last. */
  readonly growsAt: 'head' | 'tail';
  /** Old items change as well: a refresh reads all pages again that were read, not only the growing end. */
  readonly changesAnywhere?: boolean;
  readonly now: () => number;
}

/** A list that is read page by page while it grows. Requests never overlap; a refresh asked for meanwhile follows. */
export function createPagedStore<T>(parts: PagedStoreParts<T>): PagedStore<T> {
  const store = createStore<PagedState<T>>(() => ({
    items: [],
    total: 0,
    status: 'idle',
    error: undefined,
    hasMore: false,
    loadingMore: false,
    loadedAt: undefined,
    arrived: new Set(),
  }));
  const cursors: Cursors = { next: undefined, last: undefined };
  const queue = createQueue();

  const attempt = async (cursor: string | undefined, take: (page: PageOf<T>) => Partial<PagedState<T>>) => {
    try {
      const page = await parts.fetchPage(cursor);
      const rest = { status: 'ready', error: undefined, loadedAt: parts.now(), loadingMore: false } as const;
      store.setState({ ...take(page), ...rest, hasMore: cursors.next !== undefined });
    } catch (error) {
      store.setState({ status: 'error', error: asClientError(error), loadingMore: false });
    }
  };

  const loadFirst = async () => {
    if (store.getState().loadedAt !== undefined) return;
    store.setState({ status: 'loading', error: undefined });
    await attempt(undefined, (page) => takeFirst(page, cursors));
  };

  const loadNext = async () => {
    const { next } = cursors;
    if (next === undefined) return;
    store.setState({ loadingMore: true });
    await attempt(next, (page) => takeNext(page, store.getState(), cursors, next, parts.keyOf));
  };
  /** All pages that were read, again. */
  const readAgain = async () => {
    const before = store.getState();
    const known = new Set(before.items.map(parts.keyOf));
    const pages: PageOf<T>[] = [];
    const starts: (string | undefined)[] = [];
    const count = () => pages.reduce((sum, page) => sum + page.items.length, 0);
    const step = async (cursor: string | undefined): Promise<PageOf<T>> => {
      const page = await parts.fetchPage(cursor);
      pages.push(page);
      starts.push(cursor);
      return page.next_cursor !== undefined && count() < before.items.length ? step(page.next_cursor) : page;
    };
    try {
      const last = await step(undefined);
      cursors.next = last.next_cursor;
      cursors.last = starts.at(-1);
      const items = pages.flatMap((page) => page.items);
      const added = items.map(parts.keyOf).filter((key) => !known.has(key));
      const rest = { status: 'ready', error: undefined, loadedAt: parts.now() } as const;
      const arrived = new Set([...before.arrived, ...added]);
      store.setState({ ...rest, items, arrived, total: last.total, hasMore: cursors.next !== undefined });
    } catch (error) {
      store.setState({ status: 'error', error: asClientError(error) });
    }
  };

  return {
    ...store,
    change: (key, change) =>
      store.setState(({ items }) => ({
        items: items.map((item) => (parts.keyOf(item) === key ? change(item) : item)),
      })),
    load: () => queue.run('load', loadFirst),
    loadMore: () => queue.run('more', loadNext),
    loadUntil: (count) =>
      queue.run('until', async () => {
        await loadFirst();
        while (store.getState().error === undefined && cursors.next !== undefined) {
          if (store.getState().items.length >= count) return;
          await loadNext();
        }
      }),
    refresh: () =>
      queue.run('refresh', async () => {
        const state = store.getState();
        if (state.status === 'idle') return;
        if (state.loadedAt === undefined) return loadFirst();
        if (parts.changesAnywhere === true) return readAgain();
        if (parts.growsAt === 'head') {
          await attempt(undefined, (page) => mergeHead(page, store.getState(), cursors, parts.keyOf));
        } else {
          const { last } = cursors;
          await attempt(last, (page) => mergeTail(page, store.getState(), cursors, parts.keyOf));
        }
      }),
  };
}

interface Cursors {
  /** Where the next page starts; undefined at the end of the list. */
  next: string | undefined;
  /** Where the last page that was read starts. */
  last: string | undefined;
}

function takeFirst<T>(page: PageOf<T>, cursors: Cursors): Partial<PagedState<T>> {
  cursors.next = page.next_cursor;
  cursors.last = undefined;
  return { items: page.items, total: page.total };
}

function takeNext<T>(
  page: PageOf<T>,
  state: PagedState<T>,
  cursors: Cursors,
  cursor: string,
  keyOf: (item: T) => string,
): Partial<PagedState<T>> {
  cursors.next = page.next_cursor;
  cursors.last = cursor;
  const known = new Set(state.items.map(keyOf));
  return { items: [...state.items, ...page.items.filter((item) => !known.has(keyOf(item)))], total: page.total };
}

/** The first page again: its items lead, then what was loaded before. Without an overlap there is a gap: start anew. */
function mergeHead<T>(
  page: PageOf<T>,
  state: PagedState<T>,
  cursors: Cursors,
  keyOf: (item: T) => string,
): Partial<PagedState<T>> {
  const known = new Set(state.items.map(keyOf));
  const fresh = new Set(page.items.map(keyOf));
  const arrived = new Set([...state.arrived, ...[...fresh].filter((key) => !known.has(key))]);
  const overlaps = state.items.length === 0 || page.items.some((item) => known.has(keyOf(item)));
  if (!overlaps || state.items.length <= page.items.length) return { ...takeFirst(page, cursors), arrived };
  const rest = state.items.filter((item) => !fresh.has(keyOf(item)));
  return { items: [...page.items, ...rest], total: page.total, arrived };
}

/** The last page again: its items replace theirs, and new ones follow. */
function mergeTail<T>(
  page: PageOf<T>,
  state: PagedState<T>,
  cursors: Cursors,
  keyOf: (item: T) => string,
): Partial<PagedState<T>> {
  const fresh = new Map(page.items.map((item) => [keyOf(item), item]));
  const known = new Set(state.items.map(keyOf));
  const added = page.items.filter((item) => !known.has(keyOf(item)));
  cursors.next = page.next_cursor;
  const items = [...state.items.map((item) => fresh.get(keyOf(item)) ?? item), ...added];
  return { items, total: page.total, arrived: new Set([...state.arrived, ...added.map(keyOf)]) };
}

/** Runs jobs one after another; a job of a name that already waits is not queued twice. */
function createQueue(): { run(name: string, job: () => Promise<void>): Promise<void> } {
  const waiting = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  return {
    run(name, job) {
      const queued = waiting.get(name);
      if (queued !== undefined) return queued;
      const turn = last.then(() => {
        waiting.delete(name);
        return job();
      });
      waiting.set(name, turn);
      last = turn;
      return turn;
    },
  };
}

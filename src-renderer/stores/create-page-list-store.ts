import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PageHead } from '../../src-shared/model/memory-page.ts';
import { asClientError, type ClientError } from '../client/client-error.ts';
import type { PageOf } from './create-paged-store.ts';

export interface PageListState {
  /** Every file of the workspace, in the engine's order. */
  readonly pages: readonly PageHead[];
  readonly total: number;
  readonly status: 'idle' | 'loading' | 'ready' | 'error';
  /** Set while the newest request failed; what was read before stays. */
  readonly error: ClientError | undefined;
  /** When the list was last known to be true, ms since the epoch. */
  readonly loadedAt: number | undefined;
}

export interface PageListStore extends StoreApi<PageListState> {
  /** Reads the list unless it is there or on its way. */
  load(): Promise<void>;
  refresh(): Promise<void>;
  /** A page as somebody read or wrote it. */
  put(page: PageHead): void;
  remove(uris: ReadonlySet<string>): void;
}

export interface PageListParts {
  readonly fetchPage: (cursor: string | undefined) => Promise<PageOf<PageHead>>;
  readonly now: () => number;
}

/** The whole list at once, because a tree has no first page: it shows what is read while the rest is on its way. */
export function createPageListStore(parts: PageListParts): PageListStore {
  const store = createStore<PageListState>(() => ({
    pages: [],
    total: 0,
    status: 'idle',
    error: undefined,
    loadedAt: undefined,
  }));
  let running: Promise<void> | undefined;
  let again = false;

  const readAll = async () => {
    const isFirst = store.getState().loadedAt === undefined;
    if (isFirst) store.setState({ status: 'loading', error: undefined });
    try {
      const pages: PageHead[] = [];
      const step = async (cursor: string | undefined): Promise<void> => {
        const page = await parts.fetchPage(cursor);
        pages.push(...page.items);
        // Shown at 1,000, 2,000, 4,000 …: a tree of many files takes time to make.
        const isShown = pages.length >= 2 * store.getState().pages.length;
        if (isFirst && isShown) store.setState({ pages: [...pages], total: page.total });
        if (page.next_cursor !== undefined) return step(page.next_cursor);
        store.setState({ pages, total: pages.length, status: 'ready', error: undefined, loadedAt: parts.now() });
      };
      await step(undefined);
    } catch (error) {
      store.setState({ status: 'error', error: asClientError(error) });
    }
  };
  const readUntilCalm = async () => {
    do {
      again = false;
      await readAll();
    } while (again);
    running = undefined;
  };
  const refresh = () => {
    if (running !== undefined) again = true;
    return (running ??= readUntilCalm());
  };
  return {
    ...store,
    refresh,
    load: () => running ?? (store.getState().status === 'ready' ? Promise.resolve() : refresh()),
    put: (page) =>
      store.setState(({ pages }) => {
        const at = pages.findIndex(({ uri }) => uri === page.uri);
        const next = at < 0 ? [...pages, page] : pages.with(at, page);
        return { pages: next, total: next.length };
      }),
    remove: (uris) =>
      store.setState(({ pages }) => {
        const next = pages.filter((page) => !uris.has(page.uri));
        return { pages: next, total: next.length };
      }),
  };
}

import type { MemoryAction, MemoryOperation } from '../../src-shared/model/memory-operation.ts';
import type { PageVersion } from '../../src-shared/model/memory-page.ts';
import type { RecallResult } from '../../src-shared/model/recall.ts';
import type { PageReply } from '../../src-shared/protocol/pages.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { SearchInput } from '../model/recall-request.ts';
import { createDraftStore, type DraftStore } from './create-draft-store.ts';
import type { LiveNews } from './create-live-store.ts';
import { createPageListStore, type PageListStore } from './create-page-list-store.ts';
import { createPagedStore, type PagedStore } from './create-paged-store.ts';
import type { Soon } from './create-session-stores.ts';
import { createValueStore, type ValueStore } from './create-value-store.ts';
import { remember } from './remember.ts';

export interface OperationFilter {
  readonly action?: MemoryAction | undefined;
  readonly uri?: string | undefined;
  readonly session?: string | undefined;
}

/** All that is shown of memory. */
export interface MemoryStores {
  readonly list: PageListStore;
  page(uri: string): ValueStore<PageReply>;
  /** An earlier state of a page. */
  version(uri: string, version: number): ValueStore<PageReply>;
  history(uri: string): PagedStore<PageVersion>;
  /** What is being written on a page by hand; kept while it is not saved. */
  draft(uri: string): DraftStore;
  /** URIs of pages with text that is not saved. */
  unsaved(): readonly string[];
  operations(filter: OperationFilter): PagedStore<MemoryOperation>;
  search(request: SearchInput): ValueStore<RecallResult>;
  /** The next search reads anew, also one that was asked before. */
  forgetSearches(): void;
  /** Reads again what a change by this person changes, also while paused. */
  changed(uri: string): Promise<void>;
  /** The page is about to be removed from here: what is heard of it on the way there is no reason to read it. */
  leaving(uri: string, isLeaving: boolean): void;
  /** The page is gone, or is somewhere else now. */
  gone(uri: string): void;
  take(news: LiveNews): void;
}

const pagesPerRead = 1_000;
const keptPages = 12;
const keptSearches = 12;
const keptLists = 6;
/** More pages that changed at once are not read one by one: the whole list is. */
const mostSingleReads = 8;

export function createMemoryStores(client: EngineClient, now: () => number, soon: Soon): MemoryStores {
  const pages = new Map<string, ValueStore<PageReply>>();
  const versions = new Map<string, ValueStore<PageReply>>();
  const histories = new Map<string, PagedStore<PageVersion>>();
  const drafts = new Map<string, DraftStore>();
  const operationLists = new Map<string, PagedStore<MemoryOperation>>();
  const searches = new Map<string, ValueStore<RecallResult>>();
  const list = createPageListStore({
    fetchPage: (cursor) => client.call('pages', { query: { cursor, limit: pagesPerRead } }),
    now,
  });
  const readPage = async (uri: string, version?: number) =>
    client.call('page', { params: { uri }, query: { version } });
  const page = (uri: string) => remember(pages, uri, keptPages, () => createValueStore(() => readPage(uri), now));

  const written = new Set<string>();
  const removed = new Set<string>();
  /** Pages that were there when this page was opened, and are not any more. */
  const absent = new Set<string>();
  const refreshWritten = soon(() => {
    const uris = [...written].filter((uri) => !absent.has(uri));
    written.clear();
    if (removed.size > 0) list.remove(removed);
    removed.clear();
    for (const uri of uris) {
      void pages.get(uri)?.refresh();
      void histories.get(uri)?.refresh();
    }
    if (list.getState().status === 'idle') return;
    if (uris.length > mostSingleReads) return void list.refresh();
    for (const uri of uris) void readIntoList(uri);
  }, 500);
  const readIntoList = async (uri: string) => {
    try {
      list.put(await readPage(uri));
    } catch {
      // It may be gone again, or the daemon; the whole list tells either.
      await list.refresh();
    }
  };
  const refreshOperations = soon(() => operationLists.forEach((one) => void one.refresh()), 500);
  const refreshAll = soon(() => {
    if (list.getState().status !== 'idle') void list.refresh();
    pages.forEach((one) => void one.refresh());
    histories.forEach((one) => void one.refresh());
  }, 500);

  return {
    list,
    page,
    version: (uri, version) =>
      remember(versions, `${version} ${uri}`, keptPages, () => createValueStore(() => readPage(uri, version), now)),
    history: (uri) =>
      remember(histories, uri, keptPages, () =>
        createPagedStore<PageVersion>({
          fetchPage: (cursor) => client.call('pageHistory', { params: { uri }, query: { cursor, limit: 100 } }),
          keyOf: (version) => String(version.version),
          growsAt: 'head',
          now,
        }),
      ),
    draft(uri) {
      const draft = drafts.get(uri) ?? createDraftStore(draftParts(client, uri));
      drafts.set(uri, draft);
      for (const [other, kept] of drafts) if (other !== uri && !kept.getState().dirty) drafts.delete(other);
      return draft;
    },
    unsaved: () => [...drafts].filter(([, draft]) => draft.getState().dirty).map(([uri]) => uri),
    operations: ({ action, uri, session }) =>
      remember(operationLists, `${action ?? ''}\n${uri ?? ''}\n${session ?? ''}`, keptLists, () =>
        createPagedStore<MemoryOperation>({
          fetchPage: (cursor) =>
            client.call('memoryOperations', { query: { cursor, limit: 100, action, uri, session_uid: session } }),
          keyOf: (operation) => operation.operation_id,
          growsAt: 'head',
          // An older one may be undone.
          changesAnywhere: true,
          now,
        }),
      ),
    search: (request) =>
      remember(searches, JSON.stringify(request), keptSearches, () =>
        createValueStore(() => client.call('search', { body: request }), now),
      ),
    forgetSearches: () => searches.clear(),
    async changed(uri) {
      await Promise.all([pages.get(uri)?.refresh(), histories.get(uri)?.refresh(), readIntoList(uri)]);
      operationLists.forEach((one) => void one.refresh());
    },
    leaving: (uri, isLeaving) => void (isLeaving ? absent.add(uri) : absent.delete(uri)),
    gone(uri) {
      for (const kept of [pages, histories, drafts]) kept.delete(uri);
      list.remove(new Set([uri]));
      operationLists.forEach((one) => void one.refresh());
    },
    take(news) {
      if (news.type === 'missed') {
        refreshAll();
        return refreshOperations();
      }
      if (news.type === 'memory.operation') return refreshOperations();
      if (news.type !== 'page.changed') return;
      // Only its links can be others now; and of a page that is gone, its rows are gone, too.
      if (news.change === 'indexed') return absent.has(news.uri) ? undefined : void pages.get(news.uri)?.refresh();
      const [here, there] = news.change === 'removed' ? [removed, written] : [written, removed];
      here.add(news.uri);
      there.delete(news.uri);
      if (news.change === 'removed') absent.add(news.uri);
      else absent.delete(news.uri);
      refreshWritten();
    },
  };
}

function draftParts(client: EngineClient, uri: string) {
  return {
    read: () => client.call('page', { params: { uri } }),
    save: (content: string, base: { readonly version: number; readonly hash: string }, reason: string | undefined) =>
      client.call('savePage', {
        params: { uri },
        body: {
          content,
          base_version: base.version,
          base_hash: base.hash,
          author: 'user',
          ...(reason === undefined ? {} : { reason }),
        },
      }),
  };
}

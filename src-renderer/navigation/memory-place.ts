import { memoryActionSchema, type MemoryAction } from '../../src-shared/model/memory-operation.ts';
import { recallSourceSchema, type RecallSource } from '../../src-shared/model/recall.ts';
import { present } from './present.ts';
import { withQuery } from './with-query.ts';

const pageViews = ['page', 'edit', 'history', 'operations'] as const;
export type PageView = (typeof pageViews)[number];

const pageMarks = ['active', 'superseded', 'retired', 'pinned', 'problem'] as const;
/** What the list of files is narrowed to: a status, or one of two things that are no status. */
export type PageMarkFilter = (typeof pageMarks)[number];

/** The files of the workspace, filtered; with a page, that one beside the tree. */
export interface MemoryPlace {
  readonly at: 'memory';
  /** Its URI. */
  readonly page?: string;
  readonly view?: PageView;
  /** The version whose change is shown. */
  readonly version?: number;
  readonly find?: string;
  readonly kind?: string;
  readonly mark?: PageMarkFilter;
}

/** What was judged about memory, filtered; with an operation, that one opened. */
export interface OperationsPlace {
  readonly at: 'operations';
  readonly action?: MemoryAction;
  readonly page?: string;
  readonly session?: string;
  readonly operation?: string;
}

/** A question to memory with its options; without a query the form alone. */
export interface RecallPlace {
  readonly at: 'recall';
  readonly query?: string;
  readonly user?: string;
  readonly agent?: string;
  /** Key of the conversation as which it is asked: it decides what may be seen. */
  readonly as?: string;
  /** Only what belongs to this session, by its uid. */
  readonly session?: string;
  readonly sources?: readonly RecallSource[];
  readonly kinds?: readonly string[];
  readonly labels?: readonly string[];
  readonly limit?: number;
  readonly tokens?: number;
  readonly min?: number;
  readonly inactive?: boolean;
}

/** A search over everything. */
export interface SearchPlace {
  readonly at: 'search';
  readonly query?: string;
  readonly source?: RecallSource;
}

export function memoryPlace(search: URLSearchParams): MemoryPlace {
  return {
    at: 'memory',
    ...present({
      page: textOf(search, 'page'),
      view: pageViews.find((one) => one === search.get('view') && one !== 'page'),
      version: numberOf(search, 'version', /^[1-9]\d{0,8}$/),
      find: textOf(search, 'find'),
      kind: textOf(search, 'kind'),
      mark: pageMarks.find((one) => one === search.get('only')),
    }),
  };
}

export function operationsPlace(search: URLSearchParams): OperationsPlace {
  return {
    at: 'operations',
    ...present({
      action: memoryActionSchema.options.find((one) => one === search.get('action')),
      page: textOf(search, 'page'),
      session: textOf(search, 'session'),
      operation: textOf(search, 'operation'),
    }),
  };
}

export function recallPlace(search: URLSearchParams): RecallPlace {
  const sources = listOf(search, 'sources');
  return {
    at: 'recall',
    ...present({
      query: textOf(search, 'q'),
      user: textOf(search, 'user'),
      agent: textOf(search, 'agent'),
      as: textOf(search, 'as'),
      session: textOf(search, 'session'),
      sources: someOf(recallSourceSchema.options.filter((one) => sources.includes(one))),
      kinds: someOf(listOf(search, 'kinds')),
      labels: someOf(listOf(search, 'labels')),
      limit: numberOf(search, 'limit', /^[1-9]\d{0,2}$/),
      tokens: numberOf(search, 'tokens', /^[1-9]\d{0,5}$/),
      min: numberOf(search, 'min', /^(?:0(?:\.\d{1,6})?|1)$/),
      inactive: search.get('inactive') === 'yes' ? true : undefined,
    }),
  };
}

export function searchPlace(search: URLSearchParams): SearchPlace {
  const source = recallSourceSchema.options.find((one) => one === search.get('in'));
  return { at: 'search', ...present({ query: textOf(search, 'q'), source }) };
}

export function formatMemoryPlace(place: MemoryPlace | OperationsPlace | RecallPlace | SearchPlace): string {
  switch (place.at) {
    case 'memory':
      return withQuery('/memory', {
        page: place.page,
        view: place.view === 'page' ? undefined : place.view,
        version: place.version?.toString(),
        find: place.find,
        kind: place.kind,
        only: place.mark,
      });
    case 'operations': {
      const { action, page, session, operation } = place;
      return withQuery('/memory/operations', { action, page, session, operation });
    }
    case 'recall':
      return withQuery('/recall', {
        q: place.query,
        user: place.user,
        agent: place.agent,
        as: place.as,
        session: place.session,
        sources: place.sources?.join(','),
        kinds: place.kinds?.join(','),
        labels: place.labels?.join(','),
        limit: place.limit?.toString(),
        tokens: place.tokens?.toString(),
        min: place.min?.toString(),
        inactive: place.inactive === true ? 'yes' : undefined,
      });
    case 'search':
      return withQuery('/search', { q: place.query, in: place.source });
  }
}

function textOf(search: URLSearchParams, name: string): string | undefined {
  const text = search.get(name) ?? '';
  return text === '' ? undefined : text;
}

function numberOf(search: URLSearchParams, name: string, form: RegExp): number | undefined {
  const text = search.get(name) ?? '';
  return form.test(text) ? Number(text) : undefined;
}

function listOf(search: URLSearchParams, name: string): readonly string[] {
  const parts = (search.get(name) ?? '').split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

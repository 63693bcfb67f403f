import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { IndexedPage, IndexedTurn, RowOwner, TextQuery } from '../../engine/ports/memory-index.ts';
import { queryTerms } from '../../engine/memory/indexing/segment-words.ts';

export function someScope(change: Partial<MemoryScope> = {}): MemoryScope {
  return {
    accountId: 'local',
    userId: 'ann',
    agentId: 'main',
    sessionUid: 's1',
    otherSessions: true,
    access: 'all',
    labels: undefined,
    ...change,
  };
}

export function someOwner(change: Partial<RowOwner> = {}): RowOwner {
  return {
    accountId: 'local',
    userId: 'ann',
    agentId: undefined,
    sessionUid: undefined,
    visibility: 'private',
    labels: [],
    ...change,
  };
}

export type PageChange = Partial<Omit<IndexedPage, 'levels'>> & { readonly levels?: Partial<IndexedPage['levels']> };

export function somePage(name: string, change: PageChange = {}): IndexedPage {
  const { levels, ...rest } = change;
  return {
    uri: `strata://user/ann/memories/${name}`,
    owner: someOwner(),
    kind: 'preference',
    status: 'active',
    pinned: false,
    title: name,
    aliases: [],
    tags: [],
    links: [],
    contentHash: `hash of ${name}`,
    version: 1,
    updatedAt: 1_000,
    ...rest,
    levels: { abstract: '', overview: '', text: '', ...levels },
  };
}

export function someTurn(sequence: number, text: string, change: Partial<IndexedTurn> = {}): IndexedTurn {
  const sessionUid = change.sessionUid ?? 's1';
  return {
    uri: `strata://session/ann/${sessionUid}/turn/${sequence}`,
    source: 'turn',
    owner: someOwner({ agentId: 'main', sessionUid }),
    sessionUid,
    epoch: 0,
    sequence,
    role: 'user',
    speaker: '',
    at: 1_000 + sequence,
    text,
    ...change,
  };
}

/** A search in everything that `ann` may see. */
export function asking(text: string, change: Partial<TextQuery> = {}): TextQuery {
  return {
    scope: someScope(),
    terms: queryTerms(text).map((term) => ({ term, weight: 1 })),
    sources: ['page', 'turn', 'checkpoint'],
    includeInactive: false,
    limit: 20,
    ...change,
  };
}

import type { PageUse, PageUsesReply } from '../../../src-shared/protocol/page-uses.ts';
import type { DecisionAction } from '../../../src-shared/model/trace.ts';
import type { CallPageUse } from '../ports/call-pages.ts';
import type { MemoryOperations } from '../ports/memory-operations.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { PageRequest, SessionStore } from '../ports/session-store.ts';

interface Readers {
  readonly store: Pick<SessionStore, 'pageUses'>;
  readonly pageStore: Pick<PageStore, 'find' | 'history'>;
  readonly operations: Pick<MemoryOperations, 'list'>;
}

/** Judgements and versions that are looked at for where a page comes from. */
const mostOperations = 50;
const mostVersions = 1_000;

/** Calls that had a page, by whatever address it had then, and what wrote it. A page that never was has none. */
export async function readPageUses(
  uri: string,
  page: PageRequest,
  action: DecisionAction | undefined,
  { store, pageStore, operations }: Readers,
): Promise<PageUsesReply> {
  const uris = await addressesOf(uri, pageStore);
  const found = await store.pageUses(uris, page, action);
  const lists = await Promise.all(
    uris.slice(0, 10).map((one) => operations.list({ cursor: undefined, limit: mostOperations }, { uri: one })),
  );
  const judged = lists
    .flatMap(({ items }) => items)
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, mostOperations);
  const count = (of: DecisionAction): number => found.counts.get(of) ?? 0;
  return {
    items: found.page.items.map(useOf),
    next_cursor: found.page.nextCursor,
    total: found.page.total,
    counts: { included: count('included'), trimmed: count('trimmed'), dropped: count('dropped') },
    ...(found.newestCost === undefined ? {} : { newest_cost: found.newestCost }),
    operations: judged,
    checkpoints: checkpointsOf(judged),
    pending_calls: found.pending,
  };
}

async function addressesOf(uri: string, pageStore: Readers['pageStore']): Promise<readonly string[]> {
  const page = await pageStore.find(uri);
  const { items } = await pageStore.history(page?.uri ?? uri, { cursor: undefined, limit: mostVersions });
  return [...new Set([page?.uri ?? uri, uri, ...items.map((version) => version.uri)])];
}

function useOf(use: CallPageUse): PageUse {
  const { callId, sessionUid, sessionId, sharedBy, at, how, item, action, reason, tokens, score, threshold } = use;
  return {
    ...{ call_id: callId, session_uid: sessionUid, session_id: sessionId, shared_by: sharedBy },
    ...{ at, how, item, action, reason, tokens },
    ...(score === undefined ? {} : { score }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

function checkpointsOf(operations: PageUsesReply['operations']): PageUsesReply['checkpoints'] {
  const found = new Map<string, { checkpoint_id: string; session_uid: string; operations: number }>();
  for (const { checkpoint_id: id, session_uid: session } of operations) {
    if (id === undefined || session === undefined) continue;
    const known = found.get(id) ?? { checkpoint_id: id, session_uid: session, operations: 0 };
    known.operations += 1;
    found.set(id, known);
  }
  return [...found.values()];
}

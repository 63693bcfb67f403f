import type { PageHead } from '../../../src-shared/model/memory-page.ts';
import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import { mayReadPage } from '../memory/access/may-read-page.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';

/** Pages of a kind that are looked at, of the user and of the agent. */
const looked = 200;

/** Readable pages of a kind that stand, the user's and the agent's, by their addresses. */
export async function ownPages(pages: MemoryPages, kind: string, scope: MemoryScope): Promise<readonly PageHead[]> {
  if (scope.access === 'none') return [];
  const request = { cursor: undefined, limit: looked };
  const lists = await Promise.all([
    pages.list(request, { kind, status: 'active', userId: scope.userId }),
    pages.list(request, { kind, status: 'active', agentId: scope.agentId }),
  ]);
  return lists
    .flatMap(({ items }) => items)
    .filter((head) => head.problem === undefined && mayReadPage(head, scope))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

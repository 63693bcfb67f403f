import type { PageHead } from '../../../../src-shared/model/memory-page.ts';
import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';

/** Whether a reader may see a page: the same rules that the index enforces on its rows. */
export function mayReadPage({ uri, visibility }: Pick<PageHead, 'uri' | 'visibility'>, scope: MemoryScope): boolean {
  if (scope.access === 'none') return false;
  const page = parseUri(uri);
  if (page.kind !== 'page') return false;
  if (page.owner === 'user' && page.userId !== scope.userId) return false;
  if (page.owner === 'agent' && page.agentId !== scope.agentId) return false;
  return scope.access === 'all' || visibility === 'shared';
}

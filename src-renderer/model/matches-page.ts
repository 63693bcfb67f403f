import type { PageHead } from '../../src-shared/model/memory-page.ts';
import type { PageMarkFilter } from '../navigation/memory-place.ts';

export interface PageFilter {
  readonly find?: string | undefined;
  readonly kind?: string | undefined;
  readonly mark?: PageMarkFilter | undefined;
}

/** Makes the test of a filter: every word is found somewhere in title, address, aliases, tags, labels or abstract. */
export function pageMatcher({ find = '', kind, mark }: PageFilter): (page: PageHead) => boolean {
  const words = find
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  return (page) => {
    if (kind !== undefined && page.kind !== kind) return false;
    if (mark !== undefined && !hasMark(page, mark)) return false;
    if (words.length === 0) return true;
    const text = [page.title, page.path, page.uri, ...page.aliases, ...page.tags, ...page.scope, page.abstract]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function hasMark(page: PageHead, mark: PageMarkFilter): boolean {
  if (mark === 'pinned') return page.pinned;
  if (mark === 'problem') return page.problem !== undefined;
  return page.status === mark && page.problem === undefined;
}

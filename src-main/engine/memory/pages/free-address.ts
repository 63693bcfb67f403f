import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { foldedName, slugOf } from './file-names.ts';
import { pathOfUri, uriFor } from './page-address.ts';

export interface AddressParts {
  readonly kinds: MemoryKinds;
  readonly workspace: Workspace;
  readonly pageStore: PageStore;
}

/**
 * The address for a page of a kind and title: free also where the file system takes names for equal that differ in case
 * or normalisation. The only page of a kind has its one address, free or not.
 * @throws EngineError `invalid_request` for a kind that there is not
 */
export async function freeAddress(
  page: Parameters<MemoryPages['addressFor']>[0],
  { kinds, workspace, pageStore }: AddressParts,
): Promise<string> {
  const kind = kinds.require(page.kind);
  const owner = kind.owner === 'user' ? page.scope.userId : page.scope.agentId;
  const uriOf = (slug: string): string =>
    uriFor(kind.owner, owner, [kind.folder, slug].filter((part) => part !== '').join('/'));
  if (kind.single !== undefined) return uriOf(kind.single);
  const slug = slugOf(page.title);
  for (let count = 1; ; count += 1) {
    const uri = uriOf(count === 1 ? slug : `${slug}-${count}`);
    const path = pathOfUri(uri);
    const cut = path.lastIndexOf('/');
    const taken = new Set((await workspace.names(path.slice(0, cut))).map(foldedName));
    // A deleted page keeps its address: its history can be brought back.
    if (!taken.has(foldedName(path.slice(cut + 1))) && !(await pageStore.find(uri))) return uri;
  }
}

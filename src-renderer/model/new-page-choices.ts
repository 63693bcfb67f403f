import type { PageHead } from '../../src-shared/model/memory-page.ts';
import { ownerOf, type NewPageOwner } from './new-page-uri.ts';
import { pageUriOf } from './page-words.ts';

/** The kinds that come with the product, and the folder of each; a profile is one page without a folder. */
const builtInFolders: Readonly<Record<string, string>> = {
  preference: 'preferences',
  profile: '',
  entity: 'entities',
  event: 'events',
  case: 'cases',
  pattern: 'patterns',
  skill: 'skills',
};

/**
 * Whom a new page can belong to: first the owner of the page that is open, then everybody who has pages, users before
 * agents. Before anybody has one, the user and agent that the engine takes when nobody is named.
 */
export function knownOwners(pages: readonly PageHead[], beside: string | undefined): readonly NewPageOwner[] {
  const open = beside === undefined ? undefined : pageUriOf(beside);
  const parsed = pages.flatMap((page) => pageUriOf(page.uri) ?? []).map(ownerOf);
  const users = parsed.filter(({ owner }) => owner === 'user');
  const agents = parsed.filter(({ owner }) => owner === 'agent');
  const all: readonly NewPageOwner[] = [
    ...(open === undefined ? [] : [ownerOf(open)]),
    ...(users.length === 0 ? [{ owner: 'user', userId: 'default' } as const] : users),
    ...(agents.length === 0 ? [{ owner: 'agent', agentId: 'main' } as const] : agents),
    { owner: 'workspace' },
  ];
  return [...new Map(all.map((owner) => [ownerKey(owner), owner])).values()];
}

/** `user local`, `agent main`, `workspace`. */
export function ownerKey(owner: NewPageOwner): string {
  if (owner.owner === 'user') return `user ${owner.userId}`;
  return owner.owner === 'agent' ? `agent ${owner.agentId}` : 'workspace';
}

export function knownKinds(pages: readonly PageHead[]): readonly string[] {
  return [...new Set([...Object.keys(builtInFolders), ...pages.map((page) => page.kind)])];
}

/** Folder and name that a new page of a kind would have; empty while it has no name. */
export function suggestPath(pages: readonly PageHead[], owner: NewPageOwner, kind: string, slug: string): string {
  if (owner.owner === 'workspace') return slug;
  if (kind === 'profile') return 'profile';
  return slug === '' ? '' : `${folderOfKind(pages, kind)}/${slug}`;
}

/** Where the first page of the kind stands, else where the kind says, else a folder of its name. */
function folderOfKind(pages: readonly PageHead[], kind: string): string {
  for (const page of pages) {
    if (page.kind !== kind) continue;
    const path = pageUriOf(page.uri);
    if (path === undefined || path.owner === 'workspace' || !path.path.includes('/')) continue;
    return path.path.slice(0, path.path.lastIndexOf('/'));
  }
  return builtInFolders[kind] ?? kind;
}

import { pageUri, type PageUri } from '../../src-shared/model/uri.ts';

export type NewPageOwner =
  | { readonly owner: 'user'; readonly userId: string }
  | { readonly owner: 'agent'; readonly agentId: string }
  | { readonly owner: 'workspace' };

/** `Green tea, please` → `green-tea-please`; letters of every script stay. Empty when no letter or digit is in it. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return Array.from(words.join('-')).slice(0, 80).join('').replace(/-$/, '');
}

/** Why a path within an owner's folder cannot be one; undefined when it can. */
export function whyNoPath(path: string): string | undefined {
  if (path === '') return 'A page needs a name.';
  const parts = path.split('/');
  if (parts.some((part) => part === '')) return 'Folders are joined by one “/”; it neither begins nor ends with it.';
  if (parts.some((part) => part === '.' || part === '..')) return '“.” and “..” are no names.';
  if (parts.some((part) => part.startsWith('.'))) return 'Names that begin with a dot are not part of memory.';
  if (/[\\\0]/.test(path)) return 'A name has no “\\” in it.';
  return undefined;
}

export function newPageUri(owner: NewPageOwner, path: string): string {
  return pageUri({ ...owner, path });
}

/** The owner of a page, for another page beside it. */
export function ownerOf(page: PageUri): NewPageOwner {
  if (page.owner === 'user') return { owner: 'user', userId: page.userId };
  return page.owner === 'agent' ? { owner: 'agent', agentId: page.agentId } : { owner: 'workspace' };
}

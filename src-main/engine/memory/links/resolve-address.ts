import type { PageUri } from '../../../../src-shared/model/uri.ts';
import { pageUri, parseUri } from '../../../../src-shared/model/uri.ts';

/** Which pages an address in a page could mean, likeliest first; none when it leads out of memory (`https:`, `mailto:`, a picture). */
export function resolveAddress(address: string, from: string): readonly string[] {
  if (address.startsWith('strata://')) return isPage(address) ? [address] : [];
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('//')) return [];
  const page = readPage(from);
  const path = decodePath(address).replaceAll('\\', '/');
  const file = pathOfMarkdown(path);
  if (!page || file === undefined) return [];
  const root = file.startsWith('/');
  const isRelative = /^\.{1,2}\//.test(file);
  const here = join(workspacePath(page).split('/').slice(0, -1), file);
  const places = root ? [join([], file)] : isRelative ? [here] : [here, join([], file), join(ownerFolder(page), file)];
  const uris = places.flatMap((place) => (place === undefined ? [] : [uriOfPath(place)]));
  return [...new Set(uris)];
}

/** Undefined for a file of another type: a dot followed by letters only is an extension (`v1.2 plan` is a name). */
function pathOfMarkdown(path: string): string | undefined {
  const trimmed = path.replace(/\/$/, '');
  if (/\.(?:md|markdown)$/i.test(trimmed)) return trimmed.slice(0, trimmed.lastIndexOf('.'));
  return trimmed === '' || /\.[a-z]{1,5}$/i.test(trimmed) ? undefined : trimmed;
}

function join(folder: readonly string[], path: string): string | undefined {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.length > 0 ? parts.join('/') : undefined;
}

/** Where the file is in the workspace, without extension: the inverse of `uriOfPath`. */
function workspacePath(page: PageUri): string {
  return [...ownerFolder(page), page.path].join('/');
}

function ownerFolder(page: PageUri): readonly string[] {
  if (page.owner === 'user') return ['memories', 'users', page.userId];
  return page.owner === 'agent' ? ['memories', 'agents', page.agentId] : [];
}

function uriOfPath(path: string): string {
  const [memories, owners, owner, ...rest] = path.split('/');
  if (memories === 'memories' && owner !== undefined && rest.length > 0) {
    if (owners === 'users') return pageUri({ owner: 'user', userId: owner, path: rest.join('/') });
    if (owners === 'agents') return pageUri({ owner: 'agent', agentId: owner, path: rest.join('/') });
  }
  return pageUri({ owner: 'workspace', path });
}

function readPage(uri: string): PageUri | undefined {
  try {
    const parsed = parseUri(uri);
    return parsed.kind === 'page' ? parsed : undefined;
  } catch {
    // What is no URI of ours has no place that addresses could be relative to.
    return undefined;
  }
}

function isPage(uri: string): boolean {
  return readPage(uri) !== undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

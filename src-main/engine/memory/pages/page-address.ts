import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import { pageUri, parseUri, type PageUri } from '../../../../src-shared/model/uri.ts';
import { decodeName, encodeName } from './file-names.ts';

const extension = '.md';

/** Where pages of users and agents lie; everything else in the workspace is a resource. */
const folders = { user: 'memories/users', agent: 'memories/agents' } as const;

/** Who a page belongs to; both undefined: to the workspace. */
export interface PageOwner {
  readonly userId: string | undefined;
  readonly agentId: string | undefined;
}

/** The file of an address, within the workspace. @throws EngineError `invalid_request` where it is no address of a page */
export function pathOfUri(uri: string): string {
  const page = asPage(uri);
  if (page.owner === 'user') return `${folders.user}/${encodeName(page.userId)}/${page.path}${extension}`;
  if (page.owner === 'agent') return `${folders.agent}/${encodeName(page.agentId)}/${page.path}${extension}`;
  const path = page.path + extension;
  // A file has one address: that of its owner, where it has one.
  if (uriOfPath(path) !== pageUri(page)) throw notItsAddress(uri, uriOfPath(path));
  return path;
}

/** The one address of a file; undefined where it can have none: no Markdown, or a name that no URI holds. */
export function uriOfPath(path: string): string | undefined {
  const named = path.endsWith(extension) ? path.slice(0, -extension.length) : '';
  const parts = named.split('/');
  if (parts.some((part) => part === '' || /[\\\0]/.test(part) || /^\.{1,2}$/.test(part)) || !path.isWellFormed()) {
    return undefined;
  }
  const [first, second, name = '', ...rest] = parts;
  if (first === 'memories' && rest.length > 0) {
    const id = decodeName(name);
    const inside = rest.join('/');
    if (id !== undefined && second === 'users') return pageUri({ owner: 'user', userId: id, path: inside });
    if (id !== undefined && second === 'agents') return pageUri({ owner: 'agent', agentId: id, path: inside });
  }
  return pageUri({ owner: 'workspace', path: named });
}

/** The same address in the one spelling that everything is stored under. @throws EngineError `invalid_request` */
export function canonicalUri(uri: string): string {
  return pageUri(asPage(uri));
}

/** @throws EngineError `invalid_request` */
export function ownerOf(uri: string): PageOwner {
  const page = asPage(uri);
  return {
    userId: page.owner === 'user' ? page.userId : undefined,
    agentId: page.owner === 'agent' ? page.agentId : undefined,
  };
}

export function uriFor(owner: 'user' | 'agent', id: string, path: string): string {
  return owner === 'user'
    ? pageUri({ owner: 'user', userId: id, path })
    : pageUri({ owner: 'agent', agentId: id, path });
}

function asPage(uri: string): PageUri {
  const parsed = parseUri(uri);
  if (parsed.kind === 'page') return parsed;
  throw new EngineError(
    'invalid_request',
    `Expected the address of a page such as strata://user/{user}/memories/{folder}/{name} or strata://resources/{path}, got ${JSON.stringify(uri.slice(0, 200))}.`,
  );
}

function notItsAddress(uri: string, right: string | undefined): EngineError {
  const remedy = right === undefined ? '' : ` Its address is ${right}.`;
  return new EngineError('invalid_request', `${JSON.stringify(uri.slice(0, 200))} is no address of a page.${remedy}`);
}

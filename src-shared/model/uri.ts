import { EngineError } from './engine-error.ts';

export type StrataUri =
  | { readonly kind: 'session'; readonly userId: string; readonly sessionUid: string }
  | { readonly kind: 'turn'; readonly userId: string; readonly sessionUid: string; readonly sequence: number }
  | {
      readonly kind: 'checkpoint';
      readonly userId: string;
      readonly sessionUid: string;
      readonly checkpointId: string;
    }
  | { readonly kind: 'tool-result'; readonly contentHash: string }
  | PageUri;

/** A Markdown file of the workspace. `path` has no extension; its parts are joined by `/` and are not encoded. */
export type PageUri =
  | { readonly kind: 'page'; readonly owner: 'user'; readonly userId: string; readonly path: string }
  | { readonly kind: 'page'; readonly owner: 'agent'; readonly agentId: string; readonly path: string }
  | { readonly kind: 'page'; readonly owner: 'workspace'; readonly path: string };

const scheme = 'strata://';

/** `strata://session/{user}/{session}`; every part is percent-encoded. */
export function sessionUri(userId: string, sessionUid: string): string {
  return `${scheme}session/${encode(userId)}/${encode(sessionUid)}`;
}

export function turnUri(userId: string, sessionUid: string, sequence: number): string {
  return `${sessionUri(userId, sessionUid)}/turn/${sequence}`;
}

export function checkpointUri(userId: string, sessionUid: string, checkpointId: string): string {
  return `${sessionUri(userId, sessionUid)}/checkpoint/${encode(checkpointId)}`;
}

/**
 * A large tool result by the hex SHA-256 of its content. It names no session: the host's process makes it where only the
 * content is known. Whether somebody may read it, the store decides.
 */
export function toolResultUri(contentHash: string): string {
  return `${scheme}tool-result/${contentHash}`;
}

/**
 * `strata://user/{user}/memories/{category}/{slug}`, `strata://agent/{agent}/memories/{category}/{slug}`, or
 * `strata://resources/{path}` for any other Markdown file of the workspace.
 */
export function pageUri(page: DistributiveOmit<PageUri, 'kind'>): string {
  const path = page.path.split('/').map(encode).join('/');
  if (page.owner === 'user') return `${scheme}user/${encode(page.userId)}/memories/${path}`;
  if (page.owner === 'agent') return `${scheme}agent/${encode(page.agentId)}/memories/${path}`;
  return `${scheme}resources/${path}`;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** URIs of tool results that a text names, each once, in its order. */
export function toolResultUrisIn(text: string): string[] {
  return [...new Set(text.match(/strata:\/\/tool-result\/[0-9a-f]{64}(?![0-9a-f])/g))];
}

/** @throws EngineError `invalid_request` when the text is not a URI of this scheme. */
export function parseUri(text: string): StrataUri {
  const path = text.startsWith(scheme) ? text.slice(scheme.length).split('/').map(decode) : [];
  const [root, userId, sessionUid, kind, tail] = path;
  if (root === 'tool-result' && path.length === 2 && /^[0-9a-f]{64}$/.test(userId ?? '')) {
    return { kind: 'tool-result', contentHash: userId ?? '' };
  }
  const page = readPageUri(path);
  if (page) return page;
  if (root !== 'session' || !userId || !sessionUid || path.length > 5) throw badUri(text);
  if (kind === undefined) return { kind: 'session', userId, sessionUid };
  if (kind === 'turn' && tail !== undefined && /^[1-9]\d{0,15}$/.test(tail) && Number.isSafeInteger(Number(tail))) {
    return { kind: 'turn', userId, sessionUid, sequence: Number(tail) };
  }
  if (kind === 'checkpoint' && tail) return { kind: 'checkpoint', userId, sessionUid, checkpointId: tail };
  throw badUri(text);
}

function readPageUri([root, ...rest]: readonly string[]): PageUri | undefined {
  if (root === 'resources') return withPath({ owner: 'workspace' }, rest);
  const [owner, memories, ...path] = rest;
  if (memories !== 'memories' || owner === undefined || owner === '') return undefined;
  if (root === 'user') return withPath({ owner: 'user', userId: owner }, path);
  if (root === 'agent') return withPath({ owner: 'agent', agentId: owner }, path);
  return undefined;
}

/** A part that is empty, `.` or `..`, or that has a separator in it, would be another file. */
function withPath(
  owner: { owner: 'workspace' } | { owner: 'user'; userId: string } | { owner: 'agent'; agentId: string },
  parts: readonly string[],
): PageUri | undefined {
  const isSound = parts.length > 0 && parts.every((part) => part !== '' && !/^\.{1,2}$|[/\\\0]/.test(part));
  return isSound ? { kind: 'page', ...owner, path: parts.join('/') } : undefined;
}

/** UTF-8 has no lone surrogates; the store holds ids without them. */
function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function badUri(text: string): EngineError {
  return new EngineError(
    'invalid_request',
    `Expected a URI such as strata://session/{user}/{session}/turn/{sequence}, …/checkpoint/{id}, strata://tool-result/{sha256} or strata://user/{user}/memories/{kind}/{name}, got ${JSON.stringify(text.slice(0, 200))}.`,
  );
}

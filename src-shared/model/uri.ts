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
  | { readonly kind: 'tool-result'; readonly contentHash: string };

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
  if (root !== 'session' || !userId || !sessionUid || path.length > 5) throw badUri(text);
  if (kind === undefined) return { kind: 'session', userId, sessionUid };
  if (kind === 'turn' && tail !== undefined && /^[1-9]\d{0,15}$/.test(tail) && Number.isSafeInteger(Number(tail))) {
    return { kind: 'turn', userId, sessionUid, sequence: Number(tail) };
  }
  if (kind === 'checkpoint' && tail) return { kind: 'checkpoint', userId, sessionUid, checkpointId: tail };
  throw badUri(text);
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
    `Expected a URI such as strata://session/{user}/{session}/turn/{sequence}, …/checkpoint/{id} or strata://tool-result/{sha256}, got ${JSON.stringify(text.slice(0, 200))}.`,
  );
}

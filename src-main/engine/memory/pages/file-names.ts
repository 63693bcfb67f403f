import { EngineError } from '../../../../src-shared/model/engine-error.ts';

/** File systems hold 255 bytes a name; some are left for temporary files beside it. */
const longestName = 220;
const longestPath = 1_000;

/** Windows opens a device for these, with any extension. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\..*)?$/i;
const unsafe = /[\u0000-\u001f\u007f<>:"/\\|?*%]/u;

/**
 * An id as the name of a directory, reversibly: characters that some file system refuses, and names that mean something
 * else, are percent-encoded.
 * @throws EngineError `invalid_request` when it is too long to be one
 */
export function encodeName(id: string): string {
  let name = '';
  for (const character of id.toWellFormed()) name += unsafe.test(character) ? percent(character) : character;
  if (/^[.]/.test(name) || deviceName.test(name)) name = percent(name.charAt(0)) + name.slice(1);
  if (/[. ]$/.test(name)) name = name.slice(0, -1) + percent(name.slice(-1));
  if (Buffer.byteLength(name) <= longestName) return name;
  throw new EngineError(
    'invalid_request',
    `Expected the id of a user or agent that fits a file name (${longestName} bytes), got one of ${id.length} characters.`,
  );
}

/** The id, or undefined where the name is not one that `encodeName` makes. */
export function decodeName(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name);
    return encodeName(id) === name ? id : undefined;
  } catch {
    // A per cent sign that encodes nothing, or a name that is too long: it was made by somebody else.
    return undefined;
  }
}

function percent(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/**
 * A title as a part of an address, in lower case: letters, digits and pictographs of any script, the rest as dashes. A
 * `/` stays one and makes a folder.
 */
export function slugOf(title: string): string {
  const parts = title
    .slice(0, 2_000)
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase()
    .split(/[/\\]/)
    .map(slugPart)
    .filter((part) => part !== '');
  return parts.slice(0, 5).join('/') || 'untitled';
}

function slugPart(text: string): string {
  const slug = text.replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, '-').replace(/^-|-$/g, '');
  const safe = deviceName.test(slug) ? `${slug}-page` : slug;
  return cutToBytes(safe, 120).replace(/-$/, '');
}

/** Whole characters that take `bytes` bytes at most. */
function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  let left = bytes;
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    cut += character;
  }
  return cut;
}

/**
 * Whether a new file may have this path on every system: no device, no hidden or reserved name, no bytes too many.
 * @throws EngineError `invalid_request`
 */
export function checkNewPath(path: string): void {
  const problem = problemOf(path);
  if (problem === undefined) return;
  throw new EngineError(
    'invalid_request',
    `A page cannot have the path ${JSON.stringify(path.slice(0, 200))}: ${problem}. Choose another address.`,
  );
}

function problemOf(path: string): string | undefined {
  if (!path.isWellFormed()) return 'it has half a character in it';
  if (Buffer.byteLength(path) > longestPath) return `it has more than ${longestPath} bytes`;
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'it has an empty part, "." or ".."';
    if (part.startsWith('.') || part === 'node_modules') return 'hidden folders and node_modules hold no pages';
    if (Buffer.byteLength(part) > longestName) return `a part of it has more than ${longestName} bytes`;
    if (/[\u0000-\u001f\u007f<>:"\\|?*]/u.test(part)) return 'it has a character that some file systems refuse';
    if (/[. ]$/.test(part)) return 'a part of it ends with a dot or a space';
    if (deviceName.test(part)) return 'a part of it is the name of a device on Windows';
  }
  return undefined;
}

/** Equal for names that a file system without case, or with another normalisation, takes for one. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

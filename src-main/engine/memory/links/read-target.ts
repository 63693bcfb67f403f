import { resolveAddress } from './resolve-address.ts';

/** What a reference can mean; the fields are those of `IndexedLink`. */
export interface LinkTarget {
  readonly to: string;
  readonly alternatives?: readonly string[];
  readonly name?: string;
}

/** Longer names are none (characters). */
const longestName = 200;

/**
 * A target as somebody writes it: a URI, a path, a name, or a wiki link. Of a qualified name (`base:folder/name`) the part
 * before the colon is another collection's name and is left out. Undefined where it leads out of memory.
 */
export function readTarget(written: string, from: string): LinkTarget | undefined {
  const text = written
    .trim()
    .replace(/^\[\[([^\][|]{1,500})(?:\|[^\][]{0,500})?\]\]$/, '$1')
    .trim();
  if (text === '') return undefined;
  const unqualified = /^[\w-]{1,60}:(?!\/\/)(?=[^\s:]+$)/.test(text) ? text.slice(text.indexOf(':') + 1) : text;
  if (!looksLikePath(unqualified)) return named(unqualified);
  const [to, ...alternatives] = resolveAddress(unqualified, from);
  if (to === undefined) return undefined;
  const name = nameOfPath(unqualified);
  return { to, ...(alternatives.length > 0 && { alternatives }), ...(name !== undefined && { name }) };
}

/** Address of a markdown link: always a path or a URI. */
export function readAddressTarget(address: string, from: string): LinkTarget | undefined {
  const [to, ...alternatives] = resolveAddress(address, from);
  return to === undefined ? undefined : { to, ...(alternatives.length > 0 && { alternatives }) };
}

export function named(name: string): LinkTarget | undefined {
  return name.length <= longestName && /[\p{L}\p{N}]/u.test(name) ? { to: '', name } : undefined;
}

function looksLikePath(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.includes('/') || /\.(?:md|markdown)$/i.test(text);
}

/** `[[people/lin-yao]]` in a workspace that keeps the page elsewhere: its last part may be a title or an alias. */
function nameOfPath(path: string): string | undefined {
  const last =
    path
      .replace(/\.(?:md|markdown)$/i, '')
      .split('/')
      .at(-1) ?? '';
  return /[\p{L}\p{N}]/u.test(last) && last.length <= longestName ? last : undefined;
}

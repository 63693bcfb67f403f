import type { Json } from '../../../src-shared/model/json.ts';
import { isObject } from './read-openclaw-config.ts';

export interface Change {
  /** Dotted path of the key. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The keys in which two documents differ, in the order of the newer one; lists are compared as a whole. */
export function listChanges(before: Json | undefined, after: Json | undefined, path = ''): readonly Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isOpen(before) || !isOpen(after) || (before === undefined && after === undefined)) {
    return [{ path, before, after }];
  }
  const [old, next] = [before ?? {}, after ?? {}];
  const keys = [...Object.keys(next), ...Object.keys(old).filter((key) => !(key in next))];
  const changes = keys.flatMap((key) => listChanges(old[key], next[key], path === '' ? key : `${path}.${key}`));
  return changes.length > 0 ? changes : [{ path, before, after }];
}

/** One line per change, as a person reads it. */
export function describeChange({ path, before, after }: Change): string {
  if (before === undefined) return `+ ${path} = ${JSON.stringify(after)}`;
  if (after === undefined) return `- ${path} (was ${JSON.stringify(before)})`;
  return `~ ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
}

function isOpen(value: Json | undefined): value is { readonly [key: string]: Json } | undefined {
  return value === undefined || isObject(value);
}

import { readFile } from 'node:fs/promises';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { JsonObject } from '../../../src-shared/model/json.ts';

export type OpenClawConfigFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'json'; readonly text: string; readonly value: JsonObject }
  /** Not plain JSON: comments, trailing commas or worse. Rewriting it would destroy what a person wrote. */
  | { readonly kind: 'not-json'; readonly text: string; readonly reason: string };

/** @throws EngineError `data_dir_blocked` when the file is there and cannot be read. */
export async function readOpenClawConfig(path: string): Promise<OpenClawConfigFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return { kind: 'missing' };
    throw new EngineError('data_dir_blocked', `${path} cannot be read: ${String(cause)}. Check its owner and mode.`, {
      cause,
    });
  }
  if (text.trim() === '') return { kind: 'json', text, value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { kind: 'json', text, value };
    return { kind: 'not-json', text, reason: 'it holds no JSON object' };
  } catch (error) {
    return { kind: 'not-json', text, reason: error instanceof Error ? error.message : String(error) };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

import { z } from 'zod';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { RouteDefinition } from '../../src-shared/protocol/route.ts';

/**
 * The body with what `If-Match` says: `"7"` is the version that a change is based on, `"{sha256}"` the file's hash. Only
 * for routes that compare versions.
 * @throws EngineError `invalid_request` when it says something else, or something else than the body
 */
export function withIfMatch(route: RouteDefinition, header: string | undefined, body: unknown): unknown {
  if (header === undefined || typeof body !== 'object' || body === null) return body;
  const names = route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : [];
  if (!names.includes('base_version')) return body;
  const tag = /^(?:W\/)?"?(\d{1,15}|[0-9a-f]{64})"?$/.exec(header.trim())?.[1];
  if (tag === undefined) {
    throw new EngineError(
      'invalid_request',
      `Expected one version such as "7" in If-Match, got ${JSON.stringify(header.slice(0, 100))}.`,
    );
  }
  const field = tag.length === 64 ? { base_hash: tag } : { base_version: Number(tag) };
  const [[name, value] = ['', undefined]] = Object.entries(field);
  const given: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  if (given === undefined || given === value) return { ...body, ...field };
  throw new EngineError(
    'invalid_request',
    `If-Match and ${name} of the body name different versions. Send one of the two.`,
  );
}

/** The version of a page as a tag of its answer, so that it can be sent back in `If-Match`. */
export function entityTag(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('content_hash' in value) || !('version' in value))
    return undefined;
  return typeof value.version === 'number' ? `"${value.version}"` : undefined;
}

import { afterTurnRoute, commitTurnRoute, toolResultRoute, type PluginRoute } from '../daemon/plugin-routes.ts';

/** Routes whose requests wait on disk while the daemon is away: what they carry exists nowhere else for certain. */
export type SpooledRoute = '/v1/commit-turn' | '/v1/after-turn' | '/v1/ingest' | '/v1/session-end' | '/v1/tool-result';

export interface SpoolEntry {
  readonly version: 1;
  readonly path: SpooledRoute;
  readonly created_at: string;
  /** The request as it will be sent; messages whole, since references may mean nothing to the daemon by then. */
  readonly body: unknown;
}

const spooledRoutes: readonly string[] = [
  '/v1/commit-turn',
  '/v1/after-turn',
  '/v1/ingest',
  '/v1/session-end',
  '/v1/tool-result',
];

/** @returns undefined when the text is not an entry */
export function parseSpoolEntry(text: string): SpoolEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== 1) return undefined;
  if (!('path' in value) || typeof value.path !== 'string' || !spooledRoutes.includes(value.path)) return undefined;
  if (!('body' in value) || typeof value.body !== 'object' || value.body === null) return undefined;
  // Checked above: the path is one of the list, whose members are the type's.
  return value as SpoolEntry;
}

/** The route an entry is sent to. */
export function routeOf(entry: SpoolEntry): PluginRoute<unknown, unknown> {
  const read = readers[entry.path];
  return { method: 'POST', path: entry.path, read };
}

const readers: Readonly<Record<SpooledRoute, (value: unknown) => unknown>> = {
  '/v1/commit-turn': commitTurnRoute.read,
  '/v1/after-turn': afterTurnRoute.read,
  // Any answer of success will do: they name no turns that could be counted.
  '/v1/ingest': () => true,
  '/v1/session-end': () => true,
  '/v1/tool-result': toolResultRoute.read,
};

export function messagesIn({ body }: SpoolEntry): number {
  const messages = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : undefined;
  return Array.isArray(messages) ? messages.length : 0;
}

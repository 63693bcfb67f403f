import type { LiveEvent } from '../../src-shared/model/events.ts';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { RouteDefinition } from '../../src-shared/protocol/route.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import type { DaemonClient } from '../http/client/daemon-client.ts';
import { errorFields, type Logger } from '../logger.ts';
import type { EngineLink } from './engine-link.ts';

/** The engine of the daemon that owns the data directory, over HTTP. The daemon parses what it gets. */
export function createAttachedLink(client: DaemonClient, logger: Logger, retryMs = 1_000): EngineLink {
  const listeners = new Set<(event: LiveEvent) => void>();
  const ending = new AbortController();
  let following: Promise<void> | undefined;
  const publish = (event: LiveEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return {
    kind: 'attached',
    async call(name, input) {
      const route: RouteDefinition | undefined = routes.find((candidate) => candidate.name === name);
      if (route === undefined) throw new EngineError('not_found', `There is no route named ${name}.`);
      return client.call(route, input);
    },
    subscribe(listener) {
      listeners.add(listener);
      following ??= follow(client, publish, { logger, retryMs, signal: ending.signal });
      return () => listeners.delete(listener);
    },
    async close() {
      ending.abort();
      await following;
    },
  };
}

interface Following {
  readonly logger: Logger;
  readonly retryMs: number;
  readonly signal: AbortSignal;
}

/** Reads the stream until the end of the program; a daemon that went away is looked for again. Never rejects. */
async function follow(client: DaemonClient, publish: (event: LiveEvent) => void, options: Following): Promise<void> {
  const { logger, retryMs, signal } = options;
  let lastEventId: string | undefined;
  let lost = false;
  const onOpen = (): void => {
    // With an id the daemon itself tells of what is missing.
    if (lost && lastEventId === undefined) publish({ type: 'stream.gap', dropped: 0 });
    lost = false;
  };
  while (!signal.aborted) {
    try {
      for await (const { id, event } of client.events({ ...(lastEventId ? { lastEventId } : {}), signal, onOpen })) {
        lastEventId = id || lastEventId;
        publish(event);
      }
    } catch (error) {
      if (!lost && !signal.aborted) logger.warn('event_stream_lost', errorFields(error));
    }
    // Whoever shows the state of the link looks, and finds nobody there.
    if (!lost && !signal.aborted) publish({ type: 'health.changed' });
    lost = true;
    await pause(retryMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

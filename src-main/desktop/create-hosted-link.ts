import type { EngineApi } from '../../src-shared/protocol/api.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import { invalidRequest } from '../http/error-reply.ts';
import type { CallableRoute, EngineLink, RawInput } from './engine-link.ts';

/** What is needed of a host in this process. */
export interface HostedEngine {
  readonly api: EngineApi;
  subscribe(listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
}

/** The engine in this very process: parsed by the schemas of the route, then called. */
export function createHostedLink(engine: HostedEngine): EngineLink {
  return {
    kind: 'hosted',
    async call(name, input) {
      const parsed = parseInput(name, input);
      // `parsed` is what the schemas of the route with this name give; the table of routes hides that.
      const method = engine.api[name] as (input: unknown) => Promise<unknown>;
      return method(parsed);
    },
    subscribe: (listener) => engine.subscribe(listener),
    close: () => engine.close(),
  };
}

function parseInput(name: CallableRoute, input: RawInput): unknown {
  const route = routes.find((candidate) => candidate.name === name);
  if (route === undefined) throw new TypeError(`no route ${name}`);
  const part = (key: 'params' | 'query' | 'body'): unknown => {
    const result = route[key].safeParse(input[key] ?? {});
    if (result.success) return result.data;
    throw invalidRequest(key === 'params' ? 'path' : key, result.error.issues);
  };
  return { params: part('params'), query: part('query'), body: part('body') };
}

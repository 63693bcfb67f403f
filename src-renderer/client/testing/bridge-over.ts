import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import { findRoute } from '../find-route.ts';
import type { ApiRouteName } from '../engine-client.ts';
import type { BridgeAnswer, StrataBridge } from '../strata-bridge.ts';

interface Events {
  subscribe(listener: (logged: { readonly event: LiveEvent }) => void): () => void;
}

/** The preload's bridge over an engine in the same process; what crosses is copied, as between processes. */
export function bridgeOver(api: EngineApi, events: Events): StrataBridge {
  return {
    info: {},
    call: async (name, input) => structuredClone(await answer(api, name as ApiRouteName, structuredClone(input))),
    onEvent: (listener) => events.subscribe((logged) => listener(structuredClone(logged.event))),
  };
}

async function answer(api: EngineApi, name: ApiRouteName, input: unknown): Promise<BridgeAnswer> {
  const route = findRoute(name);
  const given = input as Record<'params' | 'query' | 'body', unknown>;
  try {
    const parsed = {
      params: route.params.parse(given.params),
      query: route.query.parse(given.query),
      body: route.body.parse(given.body),
    };
    // One of many signatures, all of them made from the routes that the input was parsed with.
    const method = api[name] as (input: unknown) => Promise<unknown>;
    return { ok: true, value: await method(parsed) };
  } catch (error) {
    if (error instanceof EngineError) {
      return { ok: false, error: { code: error.code, message: error.message, details: error.details } };
    }
    throw error;
  }
}

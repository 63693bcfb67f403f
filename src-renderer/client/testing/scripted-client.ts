import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { AnyCallInput, ApiRouteName, EngineClient, LinkState } from '../engine-client.ts';

export interface ScriptedCall {
  readonly name: ApiRouteName;
  readonly input: AnyCallInput;
}

export interface ScriptedClient extends EngineClient {
  readonly calls: ScriptedCall[];
  emit(event: LiveEvent): void;
  setLink(state: LinkState): void;
}

/** A client that answers by script, for stores. Routes without a script answer nothing that can be used. */
export function scriptedClient(script: {
  readonly [N in ApiRouteName]?: (input: AnyCallInput) => unknown;
}): ScriptedClient {
  const calls: ScriptedCall[] = [];
  const listeners = new Set<(event: LiveEvent) => void>();
  const stateListeners = new Set<(state: LinkState) => void>();
  return {
    transport: 'ipc',
    calls,
    // What a script answers is the test's business.
    call: <N extends ApiRouteName>(name: N, input: AnyCallInput = {}) => {
      calls.push({ name, input });
      return Promise.resolve(script[name]?.(input)) as Promise<never>;
    },
    subscribe(onEvent, onState) {
      listeners.add(onEvent);
      stateListeners.add(onState);
      return () => {
        listeners.delete(onEvent);
        stateListeners.delete(onState);
      };
    },
    reconnectNow: () => undefined,
    emit: (event) => listeners.forEach((listener) => listener(event)),
    setLink: (state) => stateListeners.forEach((listener) => listener(state)),
  };
}

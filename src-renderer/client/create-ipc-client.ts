import { errorStatus } from '../../src-shared/model/engine-error.ts';
import { liveEventSchema } from '../../src-shared/model/events.ts';
import { ClientError, type ClientErrorCode } from './client-error.ts';
import type { AnyCallInput, ApiRouteName, EngineClient, Reply } from './engine-client.ts';
import { findRoute } from './find-route.ts';
import type { BridgeAnswer, StrataBridge } from './strata-bridge.ts';

/** The client inside the desktop app. The engine runs in the same program, so the link is always live. */
export function createIpcClient(bridge: StrataBridge): EngineClient {
  return {
    transport: 'ipc',
    // The reply was parsed with the schema of the route named N; the table of routes hides that.
    call: async <N extends ApiRouteName>(name: N, input?: AnyCallInput) =>
      (await callBridge(bridge, name, input ?? {})) as Reply<N>,
    subscribe(onEvent, onState) {
      let open = true;
      const stop = bridge.onEvent((raw) => {
        const event = liveEventSchema.safeParse(raw);
        if (open && event.success) onEvent(event.data);
      });
      queueMicrotask(() => {
        if (open) onState({ status: 'live' });
      });
      return () => {
        open = false;
        stop();
      };
    },
    reconnectNow: () => undefined,
  };
}

async function callBridge(bridge: StrataBridge, name: ApiRouteName, input: AnyCallInput): Promise<unknown> {
  const { params = {}, query = {}, body = {} } = input;
  const answer = await ask(bridge, name, { params, query, body });
  if (!answer.ok) {
    const { code, message, details } = answer.error;
    throw new ClientError(isKnownCode(code) ? code : 'internal', message, { details });
  }
  const parsed = findRoute(name).reply.safeParse(answer.value);
  if (parsed.success) return parsed.data;
  throw new ClientError('invalid_reply', `The engine’s answer to ${name} is not what this page expects.`, {
    details: parsed.error.issues.slice(0, 20),
    cause: parsed.error,
  });
}

async function ask(bridge: StrataBridge, name: string, input: unknown): Promise<BridgeAnswer> {
  try {
    return await bridge.call(name, input);
  } catch (cause) {
    throw new ClientError('unreachable', 'The engine does not answer.', { cause });
  }
}

function isKnownCode(code: string): code is ClientErrorCode {
  return Object.hasOwn(errorStatus, code);
}

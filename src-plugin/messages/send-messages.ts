import type { HostMessage, MessageOrRef } from '../../src-shared/protocol/host-message.ts';
import type { CallLimits, DaemonLink } from '../daemon/daemon-link.ts';
import type { DaemonResult } from '../daemon/daemon-failure.ts';
import type { PluginRoute } from '../daemon/plugin-routes.ts';
import type { SharedState } from '../shared-state.ts';
import { messageKey } from './message-key.ts';

export interface SendOptions extends CallLimits {
  /**
   * Which messages go as references in the first try: `all`, or so many from the start; and always those that are known
   * to have arrived before. Whatever the daemon does not know is then sent whole.
   */
  readonly refs: 'all' | number;
}

/** Sends a request that carries messages, each body at most once: references first, bodies where they are asked for. */
export async function sendMessages<Body extends { messages?: readonly MessageOrRef[] }, Reply>(
  parts: { link: DaemonLink; shared: SharedState },
  route: PluginRoute<Body, Reply>,
  request: Omit<Body, 'messages'>,
  messages: readonly HostMessage[],
  options: SendOptions,
): Promise<DaemonResult<Reply>> {
  const { link, shared } = parts;
  const end = performance.now() + options.timeoutMs;
  const referred = options.refs === 'all' ? messages.length : options.refs;
  const list: MessageOrRef[] = messages.map((message, position) => {
    const ref = messageKey(message);
    return position < referred || shared.knownKeys.has(ref) ? { ref } : message;
  });
  for (let attempt = 1; ; attempt += 1) {
    const timeoutMs = Math.max(1, end - performance.now());
    // The request without its messages, and the messages, together are what the route takes.
    const body = { ...request, messages: list } as unknown as Body;
    const result = await link.call(route, body, { timeoutMs, signal: options.signal });
    if (result.ok) {
      for (const message of messages) shared.knownKeys.set(messageKey(message), true);
      return result;
    }
    const missing = result.failure.code === 'unknown_messages' ? result.failure.details?.['indexes'] : undefined;
    if (missing === undefined || attempt === 3) return result;
    const before = list.filter(isReference).length;
    if (attempt === 1 && Array.isArray(missing)) putBodies(list, messages, missing);
    // A second refusal, or positions that make no sense: give up on references.
    if (attempt === 2 || list.filter(isReference).length === before) putBodies(list, messages, messages.keys());
  }
}

function putBodies(list: MessageOrRef[], messages: readonly HostMessage[], positions: Iterable<unknown>): void {
  for (const position of positions) {
    const message = typeof position === 'number' ? messages[position] : undefined;
    if (message !== undefined && typeof position === 'number') list[position] = message;
  }
}

function isReference(entry: MessageOrRef): boolean {
  return 'ref' in entry && !('role' in entry);
}

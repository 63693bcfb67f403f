import { prefetchRoute } from '../daemon/plugin-routes.ts';
import type { HostHookContext } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';

/** Nothing waits for the answer (ms). */
const timeoutMs = 1_500;

/**
 * The host knows what the user says seconds before it asks for a context: the daemon begins to look into memory then.
 * Several hooks tell of the same message; the first one counts.
 */
export function prefetchRecall(
  { config, link, shared }: PluginRuntime,
  prompt: string,
  { sessionKey, sessionId, agentId }: HostHookContext,
): void {
  if (config.recall.enabled === false || prompt.trim() === '') return;
  const id = sessionId ?? shared.sessionIds.get(sessionKey ?? '');
  if (id === undefined) return;
  const session = sessionKey ?? id;
  if (shared.prefetched.get(session) === prompt) return;
  shared.prefetched.set(session, prompt);
  const body = {
    ...sessionIdentity({ sessionId: id, sessionKey }, agentId ?? config.agentId),
    prompt: prompt.slice(0, longestPrompt),
    recall: config.recall,
  };
  const sending = link
    .call(prefetchRoute, body, { timeoutMs, mayBeSlow: true })
    .then(() => undefined)
    .finally(() => shared.sending.delete(sending));
  shared.sending.add(sending);
}

/** Memory is asked by less than that; the route takes no large bodies (characters). */
const longestPrompt = 100_000;

import { isLasting } from '../daemon/daemon-failure.ts';
import { sessionEndRoute, type SessionEndBody } from '../daemon/plugin-routes.ts';
import type { HostSessionEndReason } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';

const timeoutMs = 1_000;

export interface SessionEnd {
  readonly sessionId: string;
  readonly sessionKey: string | undefined;
  readonly reason: HostSessionEndReason;
  readonly nextSessionId?: string | undefined;
}

/**
 * Tells the daemon that a session ended or was reset. A reset keeps the session id, and what came before it must never
 * reach the model again: if the daemon is away the report waits in the spool, in order with the turns. Never rejects.
 */
export function endSession(runtime: PluginRuntime, end: SessionEnd): Promise<void> {
  const { endings } = runtime.shared;
  const before = endings.get(end.sessionId) ?? Promise.resolve();
  const running = before
    .then(() => report(runtime, end))
    .catch((error: unknown) => runtime.warn(`The end of a session was not recorded: ${String(error)}`, 'session-end'))
    .finally(() => {
      if (endings.get(end.sessionId) === running) endings.delete(end.sessionId);
    });
  endings.set(end.sessionId, running);
  return running;
}

async function report(runtime: PluginRuntime, end: SessionEnd): Promise<void> {
  const { spool, link, config, shared } = runtime;
  if (end.sessionKey !== undefined) {
    shared.additions.delete(end.sessionKey);
    shared.persistedUsers.delete(end.sessionKey);
  }
  const body: SessionEndBody = {
    ...sessionIdentity(end, config.agentId),
    reason: end.reason,
    ...(end.nextSessionId === undefined ? {} : { next_session_id: end.nextSessionId }),
  };
  if ((await spool.deliver(timeoutMs)) === 0) {
    const result = await link.call(sessionEndRoute, body, { timeoutMs });
    if (result.ok || isLasting(result.failure)) return;
  }
  // The host goes down and comes back with the same sessions: nothing to remember.
  if (end.reason === 'shutdown' || end.reason === 'restart') return;
  await spool.append('/v1/session-end', body);
}

import type { HostHookContext, HostHookEvents, HostSessionEndReason } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { endSession } from './end-session.ts';

/** `session_end` of a reset follows `before_reset` within this time (ms). */
const sameResetMs = 60_000;
/** The same reset seen by two registrations of the plugin. */
const echoMs = 2_000;

/** A reset shows in `before_reset` on every host, and on most again in `session_end`: one reset, one report. */
export async function onBeforeReset(
  runtime: PluginRuntime,
  event: HostHookEvents['before_reset'],
  context: HostHookContext,
): Promise<void> {
  const sessionId = context.sessionId ?? runtime.shared.sessionIds.get(context.sessionKey ?? '');
  if (sessionId === undefined) return;
  const key = context.sessionKey ?? sessionId;
  const announced = runtime.shared.announcedResets.get(key);
  if (announced !== undefined && Math.abs(Date.now() - announced) < echoMs) return;
  runtime.shared.announcedResets.set(key, Date.now());
  await endSession(runtime, {
    sessionId,
    sessionKey: context.sessionKey,
    reason: event.reason === 'new' ? 'new' : 'reset',
  });
}

export async function onSessionEnd(
  runtime: PluginRuntime,
  event: HostHookEvents['session_end'],
  context: HostHookContext,
): Promise<void> {
  const sessionKey = event.sessionKey ?? context.sessionKey;
  const reason: HostSessionEndReason = event.reason ?? 'unknown';
  if (reason === 'reset' || reason === 'new') {
    const key = sessionKey ?? event.sessionId;
    const announced = runtime.shared.announcedResets.get(key);
    runtime.shared.announcedResets.delete(key);
    if (announced !== undefined && Math.abs(Date.now() - announced) < sameResetMs) return;
  }
  await endSession(runtime, { sessionId: event.sessionId, sessionKey, reason, nextSessionId: event.nextSessionId });
}

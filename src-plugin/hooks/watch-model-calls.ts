import type { HostHookContext, HostHookEvents } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import type { RunFacts, SharedState } from '../shared-state.ts';

/** Every model call of a run, whoever built its context: the host needs no permission for it, and a bypass shows. */
export function onModelCallStarted(
  runtime: PluginRuntime,
  event: HostHookEvents['model_call_started'],
  context: HostHookContext,
): void {
  const run = runOf(runtime.shared, event.runId);
  if (run.lastCallId === event.callId) return;
  run.lastCallId = event.callId;
  run.modelCalls += 1;
  if (run.modelCalls > 1) return;
  const sessionKey = event.sessionKey ?? context.sessionKey;
  const sessionId = event.sessionId ?? context.sessionId ?? runtime.shared.sessionIds.get(sessionKey ?? '');
  if (sessionId === undefined) return;
  const identity = sessionIdentity({ sessionId, sessionKey }, runtime.config.agentId);
  runtime.events.add({ type: 'turn_seen', ...identity, run_id: event.runId });
}

/** Measures what the host puts around our list, so that reported usage can correct our token counts. */
export function onLlmInput(runtime: PluginRuntime, event: HostHookEvents['llm_input']): void {
  const run = runOf(runtime.shared, event.runId);
  const tools = event.tools === undefined ? 0 : JSON.stringify(event.tools).length;
  run.hostTextChars =
    (event.systemPrompt?.length ?? 0) + event.prompt.length + tools + runtimeNotes(event.historyMessages);
}

export function onLlmOutput(
  runtime: PluginRuntime,
  event: HostHookEvents['llm_output'],
  context: HostHookContext,
): void {
  const run = runtime.shared.runs.get(event.runId);
  runtime.shared.runs.delete(event.runId);
  if (event.usage === undefined) return;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = event.usage;
  const session = { sessionId: event.sessionId, sessionKey: context.sessionKey };
  runtime.events.add({
    type: 'usage',
    ...sessionIdentity(session, runtime.config.agentId),
    run_id: event.runId,
    model: event.model,
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    model_calls: Math.max(1, run?.modelCalls ?? 1),
    ...(run?.hostTextChars === undefined ? {} : { host_text_chars: run.hostTextChars }),
  });
}

function runOf(shared: SharedState, runId: string): RunFacts {
  const known = shared.runs.get(runId);
  if (known !== undefined) return known;
  const run: RunFacts = { modelCalls: 0, lastCallId: undefined, hostTextChars: undefined };
  shared.runs.set(runId, run);
  return run;
}

/** Characters of the notes that the host adds to the list itself. */
function runtimeNotes(messages: readonly unknown[]): number {
  let chars = 0;
  for (const message of messages) {
    if (typeof message !== 'object' || message === null || !('customType' in message) || !('content' in message))
      continue;
    if (message.customType === 'openclaw.runtime-context' && typeof message.content === 'string')
      chars += message.content.length;
  }
  return chars;
}

import type { HostHookAnswer, HostHookContext, HostHookEvents, HostHookName, HostPluginApi } from '../host-types.ts';
import { rememberPersistedUser } from '../messages/restore-persisted-users.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { captureToolResult } from './capture-tool-result.ts';
import { prefetchRecall } from './prefetch-recall.ts';
import { recallWithoutEngine } from './recall-without-engine.ts';
import { replaceToolResult } from './replace-tool-result.ts';
import { onLlmInput, onLlmOutput, onModelCallStarted } from './watch-model-calls.ts';
import { onBeforeReset, onSessionEnd } from './watch-session-ends.ts';

/**
 * Listens to what the engine's own calls do not tell. Each hook is optional: a host may not know it, or not allow it
 * (`llm_input` and `llm_output` need `hooks.allowConversationAccess`). None changes anything but `tool_result_persist`,
 * and `before_prompt_build` where the engine was not asked.
 */
export function registerHooks(api: HostPluginApi, runtime: PluginRuntime): void {
  const listen = <K extends HostHookName>(
    name: K,
    handle: (event: HostHookEvents[K], context: HostHookContext) => HostHookAnswer<K> | undefined,
  ): void => {
    const guarded = (event: HostHookEvents[K], context: HostHookContext | undefined): HostHookAnswer<K> | undefined => {
      // The host registers the plugin several times and may call each registration with the same event.
      if (runtime.shared.seenEvents.has(event)) return undefined;
      runtime.shared.seenEvents.add(event);
      try {
        return handle(event, context ?? {});
      } catch (error) {
        runtime.warn(`The hook ${name} failed: ${String(error)}`, name);
        return undefined;
      }
    };
    try {
      api.on?.(name, guarded);
    } catch (error) {
      api.logger.debug?.(`[strata] This host has no hook ${name}: ${String(error)}`);
    }
  };

  listen('session_start', (event) => {
    if (event.sessionKey !== undefined) runtime.shared.sessionIds.set(event.sessionKey, event.sessionId);
  });
  listen('before_reset', (event, context) => onBeforeReset(runtime, event, context));
  listen('session_end', (event, context) => onSessionEnd(runtime, event, context));
  listen('message_received', (event, context) => {
    prefetchRecall(runtime, event.content, { ...context, sessionKey: event.sessionKey ?? context.sessionKey });
  });
  listen('before_agent_reply', (event, context) => prefetchRecall(runtime, event.cleanedBody, context));
  listen('before_model_resolve', (event, context) => prefetchRecall(runtime, event.prompt, context));
  listen('before_prompt_build', async (event, context) => {
    try {
      return await recallWithoutEngine(runtime, event, context);
    } catch (error) {
      runtime.warn(`The hook before_prompt_build failed: ${String(error)}`, 'before_prompt_build');
      return undefined;
    }
  });
  listen('model_call_started', (event, context) => onModelCallStarted(runtime, event, context));
  listen('llm_input', (event) => onLlmInput(runtime, event));
  listen('llm_output', (event, context) => onLlmOutput(runtime, event, context));
  listen('after_tool_call', (event, context) => captureToolResult(runtime, event, context));
  listen('tool_result_persist', (event, context) => replaceToolResult(runtime, event, context));
  // Must stay synchronous: the host takes a promise for an answer here.
  listen('before_message_write', (event, context) => {
    const sessionKey = event.sessionKey ?? context.sessionKey;
    if (sessionKey !== undefined && event.message['role'] === 'user') {
      rememberPersistedUser(runtime.shared, sessionKey, event.message);
    }
  });
}

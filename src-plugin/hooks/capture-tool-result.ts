import { expandToolName } from '../../src-shared/synopsis/large-result.ts';
import { readResultContent } from '../../src-shared/synopsis/result-content.ts';
import type { HostHookContext, HostHookEvents } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';

/**
 * Keeps a large result at hand as the tool gave it: the host cuts it (16,000 to 64,000 characters) before it asks in
 * `tool_result_persist` what to write. Must stay synchronous: that hook follows within a millisecond or so.
 */
export function captureToolResult(
  runtime: PluginRuntime,
  event: HostHookEvents['after_tool_call'],
  context: HostHookContext,
): void {
  const { config, shared } = runtime;
  if (!config.externaliseToolResults || !config.autoCapture) return;
  const { toolCallId, result } = event;
  if (toolCallId === undefined || event.error !== undefined || event.toolName === expandToolName) return;
  if (context.sessionKey !== undefined && context.sessionId !== undefined) {
    shared.sessionIds.set(context.sessionKey, context.sessionId);
  }
  const content = typeof result === 'object' && result !== null && 'content' in result ? result.content : result;
  if (readResultContent(content).text.length <= config.toolResultThresholdChars) return;
  shared.wholeResults.set(toolCallKey(context.sessionKey, toolCallId), content);
}

/** Models number their calls anew in each session, so the id alone is not enough. */
export function toolCallKey(sessionKey: string | undefined, toolCallId: string): string {
  return `${sessionKey ?? ''}\n${toolCallId}`;
}

import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView } from './message-view.ts';
import { isRecord, jsonOf } from './read-fields.ts';

/**
 * A message in another host's format than the one it came in. What the target cannot say (thinking, images of unknown
 * source) is left out; the original stays in the log.
 */
export function writeMessage(view: MessageView, format: MessageFormat): HostMessage {
  return format === 'openai' ? writeOpenAi(view) : writeOpenClaw(view);
}

function writeOpenAi(view: MessageView): HostMessage {
  if (view.toolResult) {
    return { role: 'tool', tool_call_id: view.toolResult.callId, content: resultText(view) };
  }
  const text = spokenText(view);
  if (view.toolCalls.length === 0) return { role: view.role, content: text };
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: view.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: argumentsText(call.arguments) },
    })),
  };
}

function writeOpenClaw(view: MessageView): HostMessage {
  const timestamp = view.timestamp ?? 0;
  if (view.toolResult) {
    return {
      role: 'toolResult',
      toolCallId: view.toolResult.callId,
      toolName: view.toolResult.name,
      content: [{ type: 'text', text: resultText(view) }],
      isError: view.toolResult.isError,
      timestamp,
    };
  }
  const text = spokenText(view);
  if (view.role !== 'assistant') return { role: 'user', content: text, timestamp };
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...view.toolCalls.map((call) => ({
        type: 'toolCall',
        id: call.id,
        name: call.name,
        arguments: argumentsObject(call.arguments),
      })),
    ],
    // The host's type asks for these; nothing is known of the model that once said it.
    api: 'openai-completions',
    provider: 'strata',
    model: view.model ?? 'unknown',
    usage: noUsage,
    stopReason: view.toolCalls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  };
}

const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Providers refuse empty texts: a message that only showed something says so, or is given as it came. */
function spokenText(view: MessageView): string {
  const said = view.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (said.trim() !== '' || view.blank || view.toolCalls.length > 0) return said;
  return view.images > 0 ? '[image]' : view.countable.join('\n');
}

function resultText(view: MessageView): string {
  return view.parts
    .flatMap((part) =>
      part.type === 'tool_result' ? [typeof part.result === 'string' ? part.result : jsonOf(part.result)] : [],
    )
    .join('\n');
}

/** This format knows only objects here; what a model wrote that is none is kept in one. */
function argumentsObject(value: unknown): object {
  return isRecord(value) ? value : { arguments: value ?? null };
}

function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

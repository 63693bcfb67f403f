import type { TurnPart, TurnRole } from '../../../src-shared/model/turn-envelope.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView, ToolCallView } from './message-view.ts';
import { asRecord, isRecord, readTimestamp, textOf } from './read-fields.ts';
import { stripInjected } from './strip-injected.ts';

const roles: Readonly<Record<string, TurnRole>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
};

/** Chat-completions messages. `timestamp` (ms) is no field of that format, but is honoured where a client sends one. */
export function readOpenAiMessage(message: HostMessage): MessageView {
  const hostRole = textOf(message['role']);
  const role = roles[hostRole] ?? 'system';
  const parts: TurnPart[] = [];
  const countable: string[] = [];
  let images = 0;
  if (roles[hostRole] === undefined) parts.push({ type: 'meta', key: 'host_role', value: hostRole });

  const texts = contentTexts(message['content'], (part) => {
    images += part['type'] === 'image_url' ? 1 : 0;
    parts.push({ type: 'meta', key: part['type'] === 'image_url' ? 'image' : 'unknown_part', value: imageNote(part) });
  });
  const toolCalls = readToolCalls(message['tool_calls']);
  const isTool = role === 'tool';
  for (const text of texts) {
    countable.push(text);
    if (isTool) continue;
    const captured = stripInjected(text);
    if (captured.text !== '' || captured.removed.length === 0) parts.push({ type: 'text', text: captured.text });
    if (captured.removed.length > 0) parts.push({ type: 'meta', key: 'injected_blocks', value: captured.removed });
  }
  if (isTool) parts.push({ type: 'tool_result', tool_name: textOf(message['name']), result: texts.join('\n') });
  for (const call of toolCalls) {
    countable.push(
      call.name,
      typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
    );
    parts.push({ type: 'tool_call', tool_name: call.name, arguments: call.arguments });
  }
  return {
    role,
    kind: 'message',
    timestamp: readTimestamp(message['timestamp']),
    parts,
    toolCalls,
    toolResult: isTool
      ? { callId: textOf(message['tool_call_id']), name: textOf(message['name']), isError: false }
      : undefined,
    countable,
    images,
    excluded: false,
    blank: !isTool && toolCalls.length === 0 && images === 0 && texts.every((text) => text.trim() === ''),
    model: undefined,
  };
}

function contentTexts(content: unknown, other: (part: Readonly<Record<string, unknown>>) => void): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return content === undefined || content === null ? [] : [JSON.stringify(content)];
  const texts: string[] = [];
  for (const part of content) {
    if (typeof part === 'string') texts.push(part);
    else if (isRecord(part) && part['type'] === 'text') texts.push(textOf(part['text']));
    else other(asRecord(part));
  }
  return texts;
}

function readToolCalls(value: unknown): ToolCallView[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => {
    const call = asRecord(entry);
    const fn = asRecord(call['function']);
    return { id: textOf(call['id']), name: textOf(fn['name']), arguments: parseArguments(fn['arguments']) };
  });
}

function parseArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // Models do write broken JSON; what they wrote is what is kept.
    return value;
  }
}

/** An image as base64 would fill the envelope; the original message has it. */
function imageNote(part: Readonly<Record<string, unknown>>): unknown {
  const url = textOf(asRecord(part['image_url'])['url']);
  if (url === '') return part;
  return url.startsWith('data:') ? { data_url_characters: url.length } : { url };
}

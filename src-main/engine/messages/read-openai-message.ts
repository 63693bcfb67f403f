import type { TurnPart, TurnRole } from '../../../src-shared/model/turn-envelope.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView, ToolCallView } from './message-view.ts';
import { asRecord, isRecord, jsonOf, readTimestamp, textOf } from './read-fields.ts';
import { stripInjected } from './strip-injected.ts';

const roles: ReadonlyMap<string, TurnRole> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/** Parts whose bulk is base64; they count as an image does, since what they really cost only the provider knows. */
const mediaParts: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file']);

/**
 * Chat-completions messages, the older function calls included. `timestamp` (ms) is no field of that format, but is
 * honoured where a client sends one. Roles that are not of the format are kept as `system` with their name noted.
 */
export function readOpenAiMessage(message: HostMessage): MessageView {
  const hostRole = textOf(message['role']);
  const role = roles.get(hostRole) ?? 'system';
  const content = readContent(message);
  const toolCalls = readToolCalls(message);
  const isTool = role === 'tool';
  const name = textOf(message['name']);
  const parts: TurnPart[] = [];
  if (!roles.has(hostRole)) parts.push({ type: 'meta', key: 'host_role', value: hostRole });
  parts.push(...content.notes);
  if (isTool) parts.push({ type: 'tool_result', tool_name: name, result: content.texts.join('\n') });
  else parts.push(...content.texts.flatMap(textParts));
  for (const call of toolCalls) parts.push({ type: 'tool_call', tool_name: call.name, arguments: call.arguments });
  return {
    role,
    kind: 'message',
    timestamp: readTimestamp(message['timestamp']),
    parts,
    toolCalls,
    toolResult: isTool ? { callId: resultId(message), name, isError: false } : undefined,
    countable: [...content.texts, ...content.unknown, ...toolCalls.flatMap(callTexts)],
    images: content.media,
    excluded: false,
    blank:
      !isTool &&
      toolCalls.length + content.media + content.unknown.length === 0 &&
      content.texts.every((text) => text.trim() === ''),
    model: undefined,
  };
}

interface Content {
  readonly texts: string[];
  readonly notes: TurnPart[];
  /** JSON of parts that this version does not know. */
  readonly unknown: string[];
  media: number;
}

function readContent(message: HostMessage): Content {
  const found: Content = { texts: [], notes: [], unknown: [], media: 0 };
  const content = message['content'];
  if (Array.isArray(content)) for (const part of content as readonly unknown[]) readPart(part, found);
  else if (content !== undefined && content !== null) {
    found.texts.push(typeof content === 'string' ? content : jsonOf(content));
  }
  if (typeof message['refusal'] === 'string') found.texts.push(message['refusal']);
  return found;
}

function readPart(part: unknown, found: Content): void {
  if (part === null || part === undefined) return;
  const fields = asRecord(part);
  if (typeof part === 'string') found.texts.push(part);
  else if (fields['type'] === 'text') found.texts.push(textOf(fields['text']));
  else if (fields['type'] === 'refusal') found.texts.push(textOf(fields['refusal']));
  else if (mediaParts.has(fields['type'])) {
    found.media += 1;
    const key = fields['type'] === 'image_url' ? 'image' : 'media';
    found.notes.push({ type: 'meta', key, value: mediaNote(fields) });
  } else {
    found.unknown.push(jsonOf(part));
    found.notes.push({ type: 'meta', key: 'unknown_part', value: part });
  }
}

function textParts(text: string): TurnPart[] {
  const captured = stripInjected(text);
  const parts: TurnPart[] = [];
  if (captured.text !== '' || captured.removed.length === 0) parts.push({ type: 'text', text: captured.text });
  if (captured.removed.length > 0) parts.push({ type: 'meta', key: 'injected_blocks', value: captured.removed });
  return parts;
}

function readToolCalls(message: HostMessage): ToolCallView[] {
  const calls: readonly unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const views = calls.map((entry) => {
    const call = asRecord(entry);
    return callView(textOf(call['id']), asRecord(call['function'] ?? call['custom']));
  });
  const old = message['function_call'];
  return isRecord(old) ? [...views, callView(functionId(textOf(old['name'])), old)] : views;
}

function callView(id: string, fields: Readonly<Record<string, unknown>>): ToolCallView {
  return { id, name: textOf(fields['name']), arguments: parseArguments(fields['arguments'] ?? fields['input']) };
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

function callTexts(call: ToolCallView): string[] {
  return [call.name, typeof call.arguments === 'string' ? call.arguments : jsonOf(call.arguments)];
}

/** Function calls of the older form have no ids: a result answers the call of that function before it. */
function resultId(message: HostMessage): string {
  return textOf(message['tool_call_id']) || functionId(textOf(message['name']));
}

function functionId(name: string): string {
  return name === '' ? '' : `function_${name}`;
}

/** Base64 would fill the envelope; the original message has it. */
function mediaNote(part: Readonly<Record<string, unknown>>): unknown {
  const url = textOf(asRecord(part['image_url'])['url']);
  if (url !== '' && !url.startsWith('data:')) return { url };
  return { type: part['type'], characters: url === '' ? jsonOf(part).length : url.length };
}

import type { TurnPart, TurnRole } from '../../../src-shared/model/turn-envelope.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { isTranscriptOnly } from './is-transcript-only.ts';
import type { MessageView, ToolCallView, ToolResultView } from './message-view.ts';
import { asRecord, isRecord, jsonOf, readTimestamp, textOf } from './read-fields.ts';
import { stripInjected } from './strip-injected.ts';

/** OpenClaw's roles (contract §1.9) in ours. What is not listed is kept as `system` with its role noted. */
const roles: ReadonlyMap<string, TurnRole> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['toolResult', 'tool'],
  ['system', 'system'],
  ['bashExecution', 'user'],
  ['custom', 'user'],
  ['branchSummary', 'user'],
  ['compactionSummary', 'user'],
]);

const summaryRoles: ReadonlySet<string> = new Set(['compactionSummary', 'branchSummary']);

export function readOpenClawMessage(message: HostMessage): MessageView {
  const hostRole = textOf(message['role']);
  const role = roles.get(hostRole) ?? 'system';
  const draft = new Draft(role);
  if (!roles.has(hostRole)) draft.meta('host_role', hostRole);

  if (summaryRoles.has(hostRole)) draft.text(textOf(message['summary']));
  else if (hostRole === 'bashExecution') draft.text(bashText(message));
  else if (hostRole === 'toolResult') readToolResult(message, draft);
  else readContent(message['content'], draft);

  return {
    role,
    kind: summaryRoles.has(hostRole) ? 'host_summary' : 'message',
    timestamp: readTimestamp(message['timestamp']),
    parts: draft.parts,
    toolCalls: draft.toolCalls,
    toolResult: draft.toolResult,
    countable: draft.countable,
    images: draft.images,
    excluded: message['excludeFromContext'] === true || isTranscriptOnly(message),
    blank: draft.blank,
    model: typeof message['model'] === 'string' ? message['model'] : undefined,
  };
}

class Draft {
  readonly parts: TurnPart[] = [];
  readonly toolCalls: ToolCallView[] = [];
  readonly countable: string[] = [];
  toolResult: ToolResultView | undefined;
  images = 0;
  blank = true;
  readonly #role: TurnRole;

  constructor(role: TurnRole) {
    this.#role = role;
  }

  text(text: string): void {
    this.countable.push(text);
    if (text.trim() !== '') this.blank = false;
    // Only people and models write what is worth capturing; injected blocks stay in the original message.
    const captured = this.#role === 'user' || this.#role === 'assistant' ? stripInjected(text) : { text, removed: [] };
    if (captured.text !== '' || captured.removed.length === 0) this.parts.push({ type: 'text', text: captured.text });
    if (captured.removed.length > 0) this.meta('injected_blocks', captured.removed);
  }

  meta(key: string, value: unknown): void {
    this.parts.push({ type: 'meta', key, value });
  }

  /** What this version cannot read still goes to the model, so it counts. */
  unknown(key: string, value: unknown): void {
    this.countable.push(jsonOf(value));
    this.blank = false;
    this.meta(key, value);
  }

  image(part: Readonly<Record<string, unknown>>): void {
    this.images += 1;
    this.blank = false;
    this.meta('image', { mime_type: part['mimeType'], base64_characters: textOf(part['data']).length });
  }

  toolCall(part: Readonly<Record<string, unknown>>): void {
    const call = { id: textOf(part['id']), name: textOf(part['name']), arguments: part['arguments'] ?? {} };
    this.toolCalls.push(call);
    this.blank = false;
    this.countable.push(call.name, jsonOf(call.arguments));
    this.parts.push({ type: 'tool_call', tool_name: call.name, arguments: call.arguments });
  }
}

function readContent(content: unknown, draft: Draft): void {
  if (typeof content === 'string') draft.text(content);
  else if (Array.isArray(content)) for (const part of content) readPart(part, draft);
  else if (content !== undefined && content !== null) draft.unknown('unreadable_content', content);
}

function readPart(value: unknown, draft: Draft): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'string') return draft.text(value);
  if (!isRecord(value)) return draft.unknown('unknown_part', value);
  switch (value['type']) {
    case 'text':
      return draft.text(textOf(value['text']));
    case 'thinking':
      draft.countable.push(textOf(value['thinking']));
      return draft.meta('thinking', { thinking: value['thinking'], redacted: value['redacted'] });
    case 'image':
      return draft.image(value);
    case 'toolCall':
      return draft.toolCall(value);
    default:
      return draft.unknown('unknown_part', value);
  }
}

function readToolResult(message: HostMessage, draft: Draft): void {
  const name = textOf(message['toolName']);
  draft.toolResult = { callId: textOf(message['toolCallId']), name, isError: message['isError'] === true };
  const content = message['content'];
  const texts: string[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    const fields = asRecord(part);
    if (fields['type'] === 'image') draft.image(fields);
    else if (typeof part === 'string') texts.push(part);
    else if (fields['type'] === 'text') texts.push(textOf(fields['text']));
    else if (part !== undefined && part !== null) texts.push(jsonOf(part));
  }
  const result = texts.join('\n');
  draft.countable.push(result);
  // An empty result still answers its call, so it is never blank.
  draft.blank = false;
  draft.parts.push({ type: 'tool_result', tool_name: name, result });
}

function bashText(message: HostMessage): string {
  return `$ ${textOf(message['command'])}\n${textOf(message['output'])}`;
}

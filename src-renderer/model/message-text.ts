/**
 * What a host message says, as text to read; formats `openclaw` and `openai`. Parts that are no text are named in
 * brackets. The exact message is its JSON; this is the comfortable view of it.
 */
export function messageText(message: unknown): string {
  if (typeof message === 'string') return message;
  if (!isRecord(message)) return toJson(message);
  // The host's own form of a summary, and of a command that the user ran.
  if (typeof message['summary'] === 'string' && message['content'] === undefined) return message['summary'];
  if (typeof message['command'] === 'string') return `$ ${message['command']}\n${toText(message['output'])}`;
  const content = message['content'];
  const spoken = typeof content === 'string' ? content : Array.isArray(content) ? content.map(partText).join('\n') : '';
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(openaiCallText) : [];
  const text = [spoken, ...calls].filter((piece) => piece !== '').join('\n');
  return text === '' && content === undefined ? toJson(message) : text;
}

/** The message as indented JSON. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? String(value);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value ?? '');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) return toJson(part);
  if (typeof part['text'] === 'string') return part['text'];
  if (typeof part['thinking'] === 'string') return `[thinking] ${part['thinking']}`;
  const type = typeof part['type'] === 'string' ? part['type'] : 'part';
  if (type === 'toolCall' || type === 'tool_use') {
    return `[tool call] ${toText(part['name'])} ${toJson(part['arguments'] ?? part['input'] ?? {})}`;
  }
  if (type === 'image' || type === 'image_url') return imageText(part);
  return `[${type}] ${toJson(part)}`;
}

function imageText(part: Readonly<Record<string, unknown>>): string {
  const kind = typeof part['mimeType'] === 'string' ? part['mimeType'] : 'image';
  const data = part['data'];
  return typeof data === 'string' ? `[image ${kind}, ${data.length} characters of base64]` : `[image ${kind}]`;
}

function openaiCallText(call: unknown): string {
  const target = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(target)) return `[tool call] ${toJson(call)}`;
  return `[tool call] ${toText(target['name'])} ${toText(target['arguments'])}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

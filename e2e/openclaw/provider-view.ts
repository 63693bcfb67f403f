import type { ModelMessage, ModelRequest } from './scripted-model.ts';
import { textOf } from './scripted-model.ts';

/** A message as both sides can be compared: who, what, and which calls. */
export interface Seen {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly string[];
}

const envelope = /^\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})? [^\]]{1,40}\] /;
const runtimeBlock = /\n+Runtime: agent=[\s\S]*$/;

/**
 * What a provider got, without what the host documents to put around it: the system prompt, the notes of its own, the
 * time before a user's text, and its runtime block.
 */
export function seenByProvider(request: ModelRequest): Seen[] {
  return request.messages
    .filter((message) => message.role !== 'system' && message.role !== 'developer' && !isHostNote(message))
    .map((message) => ({
      role: message.role,
      text: plain(textOf(message), message.role),
      calls: (message.tool_calls ?? []).map(
        (call) => `${call.function.name} ${canonical(JSON.parse(call.function.arguments))}`,
      ),
    }));
}

/** What the daemon answered for a call, as the host documents to render it. */
export function seenInTrace(messages: readonly Record<string, unknown>[]): Seen[] {
  return messages.map((message) => {
    const content = message['content'];
    const parts = Array.isArray(content) ? (content as Record<string, unknown>[]) : [{ type: 'text', text: content }];
    const text = parts
      .filter(({ type }) => type === 'text')
      .map((part) => String(part['text']))
      .join('\n');
    const calls = parts
      .filter(({ type }) => type === 'toolCall')
      .map((part) => `${String(part['name'])} ${canonical(part['arguments'])}`);
    switch (message['role']) {
      case 'compactionSummary':
        return {
          role: 'user',
          text: `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${String(message['summary'])}\n</summary>`,
          calls: [],
        };
      case 'toolResult':
        return { role: 'tool', text, calls: [] };
      default:
        return { role: String(message['role']), text: plain(text, String(message['role'])), calls };
    }
  });
}

function isHostNote(message: ModelMessage): boolean {
  return message.role === 'user' && textOf(message).includes('<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>');
}

function plain(text: string, role: string): string {
  return role === 'user' ? text.replace(envelope, '').replace(runtimeBlock, '') : text;
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${name}:${canonical(item)}`).join()}}`;
}

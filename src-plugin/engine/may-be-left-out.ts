import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { bareId } from '../../src-shared/protocol/message-key.ts';

/**
 * Whether a context may lack the newest message of a list: one that hosts hide, one that says nothing, a summary (the
 * daemon puts its own in its place), and a part of a tool exchange that is not whole, which providers refuse.
 */
export function mayBeLeftOut(messages: readonly HostMessage[]): boolean {
  const message = messages.at(-1) ?? {};
  if (message['excludeFromContext'] === true || message['role'] === 'compactionSummary') return true;
  if (message['role'] === 'toolResult') return !completesItsCalls(messages);
  return partsOf(message).some(isToolCall) || isBlank(message);
}

/** Whether the results at the end of the list answer all calls of the message before them. */
function completesItsCalls(messages: readonly HostMessage[]): boolean {
  const caller = messages.findLastIndex((message) => message['role'] !== 'toolResult');
  const calls = partsOf(messages[caller] ?? {}).filter(isToolCall);
  const results = new Set(messages.slice(caller + 1).map((message) => bareId(message['toolCallId'])));
  return calls.length > 0 && calls.every((call) => results.has(bareId(call['id'])));
}

function isBlank(message: HostMessage): boolean {
  const content = message['content'];
  if (typeof content === 'string') return content.trim() === '';
  // Roles that carry no content of their own (bash executions) say something in other fields.
  if (content === undefined) return typeof message['command'] !== 'string' && typeof message['summary'] !== 'string';
  if (content === null) return true;
  if (!Array.isArray(content)) return false;
  return (content as readonly unknown[]).every((part) => {
    if (part === null || part === undefined) return true;
    if (typeof part === 'string') return part.trim() === '';
    if (typeof part !== 'object' || !('type' in part)) return false;
    if (part.type === 'thinking') return true;
    return part.type === 'text' && (!('text' in part) || typeof part.text !== 'string' || part.text.trim() === '');
  });
}

function partsOf(message: HostMessage): readonly unknown[] {
  const content = message['content'];
  return Array.isArray(content) ? (content as readonly unknown[]) : [];
}

function isToolCall(part: unknown): part is Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'toolCall';
}

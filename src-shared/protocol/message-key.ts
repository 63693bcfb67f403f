import type { HostMessage } from './host-message.ts';

/**
 * The text that a message's key is the SHA-256 of: the message as JSON, without what hosts rewrite after the fact, so
 * that one message has one key in the list before the model call, in the turn that is committed and in the transcript.
 * Recorded on three generations of hosts: usage is zeroed after a compaction; run ids, sender marks and result
 * details come and go; ids of tool calls lose everything but letters and digits; a user's text is a string in one
 * place and a list with one text part in another.
 */
export function messageKeyText(message: HostMessage): string {
  const kept: Record<string, unknown> = {};
  for (const name in message) {
    if (volatileKeys.has(name)) continue;
    const value = message[name];
    if (name === 'content') kept[name] = typeof value === 'string' ? [{ type: 'text', text: value }] : content(value);
    else if (name === 'toolCallId' && typeof value === 'string') kept[name] = plainId(value);
    else kept[name] = value;
  }
  return JSON.stringify(kept);
}

const volatileKeys: ReadonlySet<string> = new Set([
  'usage',
  '__openclaw',
  'diagnostics',
  'openclawDelivery',
  'details',
]);

function content(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((part: unknown) => {
    if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'toolCall') return part;
    return 'id' in part && typeof part.id === 'string' ? { ...part, id: plainId(part.id) } : part;
  });
}

function plainId(id: string): string {
  return id.replace(/[^a-zA-Z0-9]/g, '');
}

import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { isRecord } from './read-fields.ts';

/**
 * A copy of a message whose texts are cut in their middle to about `share` of their length, with a note that says how
 * much is left out and where the whole is. Structure, ids and tool calls stay.
 */
export function trimMessage(message: HostMessage, share: number, uri: string | undefined): HostMessage {
  const cut = (text: string): string => cutMiddle(text, share, uri);
  const content = message['content'];
  if (typeof content === 'string') return { ...message, content: cut(content) };
  if (!Array.isArray(content)) return message;
  return {
    ...message,
    content: content.map((part: unknown) =>
      isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string'
        ? { ...part, text: cut(part['text']) }
        : part,
    ),
  };
}

function cutMiddle(text: string, share: number, uri: string | undefined): string {
  const keep = Math.max(0, Math.floor(text.length * share));
  if (keep >= text.length || text.length < 400) return text;
  const note = `\n[… ${text.length - keep} characters left out${uri ? `; the whole is at ${uri}` : ''} …]\n`;
  const head = text.slice(0, Math.ceil(keep * 0.7)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(keep * 0.3)).toWellFormed();
  return `${head}${note}${tail}`;
}

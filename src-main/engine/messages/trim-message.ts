import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { isRecord } from './read-fields.ts';

/** Texts shorter than this are never cut: the note would be most of what is left. */
const shortestCut = 400;

/**
 * A copy of a message whose texts are cut in their middle to about `share` (0 to 1) of their length, with a note that
 * says how much is left out and where the whole is. Structure, ids and tool calls stay. No text becomes longer.
 */
export function trimMessage(message: HostMessage, share: number, uri: string | undefined): HostMessage {
  const cut = (text: string): string => cutMiddle(text, share, uri);
  const { content, output } = message;
  // OpenClaw's `bashExecution` has what it printed beside its content.
  if (typeof output === 'string') return { ...message, output: cut(output) };
  if (typeof content === 'string') return { ...message, content: cut(content) };
  if (!Array.isArray(content)) return message;
  return { ...message, content: content.map((part: unknown) => cutPart(part, cut)) };
}

function cutPart(part: unknown, cut: (text: string) => string): unknown {
  if (!isRecord(part) || part['type'] !== 'text' || typeof part['text'] !== 'string') return part;
  const text = cut(part['text']);
  if (text === part['text']) return part;
  // A signature vouches for the whole text; providers refuse it beside another one.
  const { textSignature: _, ...rest } = part;
  return { ...rest, text };
}

function cutMiddle(text: string, share: number, uri: string | undefined): string {
  const keep = Math.max(0, Math.floor(text.length * share));
  if (keep >= text.length || text.length < shortestCut) return text;
  const headEnd = betweenCodePoints(text, Math.ceil(keep * 0.7));
  const tailStart = betweenCodePoints(text, text.length - Math.floor(keep * 0.3));
  const note = `\n[… ${tailStart - headEnd} characters left out${uri ? `; the whole is at ${uri}` : ''} …]\n`;
  const trimmed = text.slice(0, headEnd) + note + text.slice(tailStart);
  return trimmed.length < text.length ? trimmed : text;
}

/** The index, or the one before it where it would tear a surrogate pair apart. */
function betweenCodePoints(text: string, index: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1)) ? index - 1 : index;
}

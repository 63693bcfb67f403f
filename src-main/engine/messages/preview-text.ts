import type { TurnPart } from '../../../src-shared/model/turn-envelope.ts';
import type { MessageView } from './message-view.ts';

const longestPreview = 160;
/** More than is shown of one part, since white space is folded; unfolded texts may be megabytes. */
const lookedAt = 400;

/**
 * What a message says on one line: text first, then tool calls and results by name. At most 160 characters, no half
 * of a surrogate pair, no control characters. Empty exactly when the message is blank.
 */
export function previewText(view: MessageView): string {
  if (view.blank) return '';
  let said = '';
  for (const part of view.parts) {
    said += `${partText(part)} `;
    if (said.length > 2 * lookedAt) break;
  }
  return cut(said) || '[no readable text]';
}

function partText(part: TurnPart): string {
  switch (part.type) {
    case 'text':
      return start(part.text);
    case 'tool_call':
      return `${part.tool_name}(${start(asText(part.arguments))})`;
    case 'tool_result':
      return start(asText(part.result));
    case 'context_ref':
      return part.uri;
    case 'meta':
      return labels.get(part.key) ?? '';
  }
}

const labels: ReadonlyMap<string, string> = new Map([
  ['image', '[image]'],
  ['media', '[media]'],
  ['unknown_part', '[unknown part]'],
  ['unreadable_content', '[unknown content]'],
  ['injected_blocks', '[injected context]'],
]);

function start(text: string): string {
  return text.trimStart().slice(0, lookedAt);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * Cut between code points. NUL and its like have no place in a line, nor have marks that turn the direction of what
 * follows: a line that ends before they do would turn what stands beside it.
 */
function cut(text: string): string {
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .toWellFormed();
  // Twice as many units hold that many code points and show whether there are more.
  const points = Array.from(line.slice(0, 2 * longestPreview + 2));
  return points.length <= longestPreview ? points.join('') : `${points.slice(0, longestPreview - 1).join('')}…`;
}

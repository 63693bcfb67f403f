import type { MessageView } from './message-view.ts';

const previewLength = 160;

/** What a message says on one line: text first, then tool calls and results by name. At most 160 characters. */
export function previewText(view: MessageView): string {
  let preview = '';
  for (const part of view.parts) {
    if (part.type === 'text') preview += `${part.text.slice(0, 400)} `;
    else if (part.type === 'tool_call') preview += `${part.tool_name}(${safeJson(part.arguments)}) `;
    else if (part.type === 'tool_result') preview += `${safeJson(part.result)} `;
    else if (part.type === 'meta' && part.key === 'image') preview += '[image] ';
    if (preview.length > 2 * previewLength) break;
  }
  return cut(preview.replace(/\s+/gu, ' ').trim());
}

function safeJson(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 400);
}

/** Cut between code points, so that no half of a surrogate pair is left; NUL and its like have no place in a line. */
function cut(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f]/gu, '').toWellFormed();
  const points = Array.from(clean.slice(0, 2 * previewLength));
  return points.length <= previewLength ? points.join('') : `${points.slice(0, previewLength - 1).join('')}…`;
}

import type { MessageView } from '../messages/message-view.ts';

/** All that a message says, what a tool was asked and what it answered included. */
export function turnText(view: MessageView, result: (text: string) => string = (text) => text): string {
  const texts = view.parts.flatMap((part): string[] => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'tool_call') return [`${part.tool_name} ${json(part.arguments)}`];
    return part.type === 'tool_result' ? [result(json(part.result))] : [];
  });
  return texts.join('\n');
}

function json(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

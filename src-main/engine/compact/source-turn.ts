import type { MessageView } from '../messages/message-view.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import type { SourceTurn } from './summariser.ts';

/** Tool results can be huge and say little; their beginning and end carry what a summary could quote (characters). */
const longestResult = 4_000;

export function sourceTurn(turn: TurnMeta, view: MessageView): SourceTurn {
  const texts = view.parts.flatMap((part): string[] => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'tool_call') return [`${part.tool_name} ${json(part.arguments)}`];
    return part.type === 'tool_result' ? [ends(json(part.result))] : [];
  });
  return {
    sequence: turn.sequence,
    role: view.role,
    text: texts.join('\n'),
    tool: view.toolCalls[0]?.name ?? view.toolResult?.name,
  };
}

function json(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function ends(text: string): string {
  if (text.length <= longestResult) return text;
  return `${text.slice(0, longestResult / 2).toWellFormed()}\n${text.slice(-longestResult / 2).toWellFormed()}`;
}

import type { MessageView } from '../messages/message-view.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import { stripReasoning } from './strip-reasoning.ts';
import type { SourceTurn } from './summariser.ts';
import { turnText } from './turn-text.ts';

/** Tool results can be huge and say little; their beginning and end carry what a summary could quote (characters). */
const longestResult = 4_000;

/** A stored turn as a summary may quote it. */
export function sourceTurn(turn: Pick<TurnMeta, 'sequence'>, view: MessageView): SourceTurn {
  const text = turnText(view, ends);
  return {
    sequence: turn.sequence,
    role: view.role,
    // Models that reason in their text rather than in a part of its own: what they decided stands outside the tags.
    text: view.role === 'assistant' ? stripReasoning(text) : text,
    tool: view.toolCalls[0]?.name ?? view.toolResult?.name,
  };
}

function ends(text: string): string {
  if (text.length <= longestResult) return text;
  return `${text.slice(0, longestResult / 2).toWellFormed()}\n${text.slice(-longestResult / 2).toWellFormed()}`;
}

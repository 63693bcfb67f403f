import type { MessageView } from '../messages/message-view.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import { withoutControls } from './plain-text.ts';
import { stripReasoning } from './strip-reasoning.ts';
import type { SourceTurn } from './summariser.ts';
import { turnText } from './turn-text.ts';

/** Tool results can be huge and say little; their beginning and end carry what a summary could quote (characters). */
const longestResult = 4_000;

/**
 * Of anything longer a summary reads the beginning and the end (characters): nobody says so much, it is pasted, and the
 * process has more to do.
 */
const longestTurn = 200_000;

/** A stored turn as a summary may quote it. */
export function sourceTurn(turn: Pick<TurnMeta, 'sequence'>, view: MessageView): SourceTurn {
  const whole = turnText(view, (result) => ends(result, longestResult));
  // Models that reason in their text rather than in a part of its own: what they decided stands outside the tags.
  const said = view.role === 'assistant' ? stripReasoning(whole) : whole;
  return {
    sequence: turn.sequence,
    role: view.role,
    text: withoutControls(ends(said, longestTurn)),
    tool: view.toolCalls[0]?.name ?? view.toolResult?.name,
  };
}

function ends(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest / 2).toWellFormed()}\n${text.slice(-longest / 2).toWellFormed()}`;
}

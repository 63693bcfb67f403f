import type { TurnPart } from '../../../src-shared/model/turn-envelope.ts';
import type { MessageView } from './message-view.ts';

/** Name of the synthetic tool whose call and result carry what was recalled. No host has such a tool. */
export const autoRecallTool = 'memory_recall_auto';

/** Ids of its calls begin so; letters and digits only, since hosts reduce ids to those. */
export const autoRecallIdPrefix = 'stratarecall';

/** Opening of the blocks that assemble puts into lists for what was recalled. */
export const recallBlockOpening = '<strata-context source="recall"';

/**
 * What assemble added to a list comes back where a host or a client keeps the list as its history. It is marked as
 * excluded, so that it is neither sent nor summarised nor remembered as something that was said, and none of its text
 * is a part of the turn; the host's message itself stays in the log as it is.
 */
export function hideOwnRecall(view: MessageView): MessageView {
  if (!isOwnRecall(view)) return view;
  return { ...view, excluded: true, parts: view.parts.map(hidden) };
}

function isOwnRecall({ role, parts, toolCalls, toolResult }: MessageView): boolean {
  if (toolResult) return toolResult.name === autoRecallTool || toolResult.callId.startsWith(autoRecallIdPrefix);
  if (toolCalls.length > 0) {
    const isSaid = parts.some((part) => part.type === 'text' && part.text.trim() !== '');
    return !isSaid && toolCalls.every((call) => call.name === autoRecallTool);
  }
  return role === 'user' && parts.some(isOwnBlock) && parts.every((part) => isOwnBlock(part) || isBlank(part));
}

function isBlank(part: TurnPart): boolean {
  return part.type === 'text' && part.text.trim() === '';
}

/** What is left of a text that was nothing but our block. */
function isOwnBlock(part: TurnPart): boolean {
  if (part.type !== 'meta' || part.key !== 'injected_blocks' || !Array.isArray(part.value)) return false;
  return part.value.every((block) => typeof block === 'string' && block.startsWith(recallBlockOpening));
}

function hidden(part: TurnPart): TurnPart {
  if (part.type === 'tool_call') return { type: 'meta', key: 'injected_blocks', value: [jsonOf(part.arguments)] };
  if (part.type === 'tool_result') return { type: 'meta', key: 'injected_blocks', value: [jsonOf(part.result)] };
  return part;
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView } from '../messages/message-view.ts';

/** Role, separators and end mark of one message (OpenAI's guide to counting tokens gives 3, plus the role). */
const perMessage = 4;
/** id, type and function wrapper of a tool call; id of a result. */
const perToolCall = 12;
const perToolResult = 8;
/** OpenClaw's own figure for an image of unknown size (contract §6). */
const perImage = 2_000;
/** OpenClaw puts `[Sun 2026-11-29 23:01 UTC] ` before each user text (contract §1.6). */
export const userTimestamp = 16;

/** Tokens of a message besides its texts. */
export function wrapperTokens(view: MessageView, format: MessageFormat): number {
  return (
    perMessage +
    view.toolCalls.length * perToolCall +
    (view.toolResult ? perToolResult : 0) +
    view.images * perImage +
    (format === 'openclaw' && view.role === 'user' && view.kind === 'message' ? userTimestamp : 0)
  );
}

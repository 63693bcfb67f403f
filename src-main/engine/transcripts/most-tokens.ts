import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView } from '../messages/message-view.ts';
import { wrapperTokens } from '../tokens/message-cost.ts';

/** Counts of other versions differ by a little, in what a message takes besides its texts. */
const allowance = 100;

/** More than any tokenizer has counted for a message: a token is one byte of UTF-8 at least. */
export function mostTokens(view: MessageView, format: MessageFormat): number {
  const texts = view.countable.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return texts + wrapperTokens(view, format) + allowance;
}

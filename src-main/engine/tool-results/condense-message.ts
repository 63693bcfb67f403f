import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { ResultLimits } from '../../../src-shared/synopsis/large-result.ts';
import { readResultContent } from '../../../src-shared/synopsis/result-content.ts';
import { resultStub } from '../../../src-shared/synopsis/result-stub.ts';

/**
 * A copy of a tool result that is large or shows images, with what stands for it: a synopsis for a large text, a note for
 * images, and where the whole is. Undefined for every other message, and for the results of calls that failed: those are
 * short, and every word of them may matter.
 */
export function condenseMessage(
  message: HostMessage,
  format: MessageFormat,
  uri: string,
  limits: ResultLimits,
): HostMessage | undefined {
  const isResult = format === 'openclaw' ? message['role'] === 'toolResult' : message['role'] === 'tool';
  if (!isResult || message['isError'] === true) return undefined;
  const { text, images } = readResultContent(message['content']);
  const isLarge = text.length > limits.thresholdCharacters;
  if (!isLarge && images.length === 0) return undefined;
  const name = message['toolName'] ?? message['name'];
  const stub = resultStub({
    uri,
    toolName: typeof name === 'string' ? name : '',
    text,
    imagesLeftOut: images.length,
    synopsisCharacters: isLarge ? limits.synopsisCharacters : text.length,
  });
  if (stub === undefined) return undefined;
  // Details never reach the model, and may be as large as the result.
  const { details: _, ...rest } = message;
  return { ...rest, content: format === 'openclaw' ? [{ type: 'text', text: stub }] : stub };
}

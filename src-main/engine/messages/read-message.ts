import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { MessageView } from './message-view.ts';
import { readOpenAiMessage } from './read-openai-message.ts';
import { readOpenClawMessage } from './read-openclaw-message.ts';

/** @throws EngineError `invalid_request` when the message has no role at all; `at` is its position in the request. */
export function readMessage(message: HostMessage, format: MessageFormat, at: number): MessageView {
  if (typeof message['role'] !== 'string' || message['role'] === '') {
    throw new EngineError(
      'invalid_request',
      `Expected messages[${at}].role to be a text such as "user", got ${typeof message['role']}.`,
      {
        details: { index: at },
      },
    );
  }
  return format === 'openclaw' ? readOpenClawMessage(message) : readOpenAiMessage(message);
}

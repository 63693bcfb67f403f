import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { hideOwnRecall } from './hide-own-recall.ts';
import type { MessageView } from './message-view.ts';
import { isDeeperThan } from './nesting.ts';
import { readOpenAiMessage } from './read-openai-message.ts';
import { readOpenClawMessage } from './read-openclaw-message.ts';

/** Deeper values would overflow the stack of whoever writes them as JSON again. */
const deepestMessage = 200;

/**
 * @throws EngineError `invalid_request` when the message has no role at all, or is nested too deeply to be written
 * again; `at` is its position in the request.
 */
export function readMessage(message: HostMessage, format: MessageFormat, at: number): MessageView {
  if (typeof message['role'] !== 'string' || message['role'] === '') {
    throw invalid(at, `Expected messages[${at}].role to be a text such as "user", got ${nameOf(message['role'])}.`);
  }
  if (isDeeperThan(deepestMessage, message)) {
    throw invalid(at, `Expected messages[${at}] to be nested at most ${deepestMessage} levels deep. Flatten it.`);
  }
  return hideOwnRecall(format === 'openclaw' ? readOpenClawMessage(message) : readOpenAiMessage(message));
}

function nameOf(value: unknown): string {
  if (value === '') return 'an empty text';
  return value === null ? 'null' : typeof value;
}

function invalid(at: number, message: string): EngineError {
  return new EngineError('invalid_request', message, { details: { index: at } });
}

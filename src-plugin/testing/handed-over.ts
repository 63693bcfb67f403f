import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { messageKey } from '../messages/message-key.ts';
import type { RecordedCall } from './recordings.ts';

/**
 * Every message that a recorded host handed over to be stored, once, in order. What the host showed changed in memory is
 * expected as it was written into the transcript.
 */
export function handedOver(calls: readonly RecordedCall[]): HostMessage[] {
  const seen = new Map<string, HostMessage>();
  const written = calls
    .filter(({ name }) => name === 'before_message_write')
    .map(({ payload }) => payload['message'] as HostMessage);
  for (const { name, payload } of calls) {
    if (name !== 'commitTurn' && name !== 'afterTurn') continue;
    for (const message of payload.messages ?? []) {
      // The host's own summaries are no part of what was said.
      if (message['role'] === 'compactionSummary') continue;
      const same = written.find((other) => other['role'] === 'user' && textOf(other) === textOf(message));
      const expected = (message['role'] === 'user' && same) || message;
      seen.set(messageKey(expected), expected);
    }
  }
  return [...seen.values()];
}

function textOf({ content }: HostMessage): string | undefined {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? (content as { text?: string }[])[0]?.text : undefined;
}

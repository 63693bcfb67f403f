import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { readResultContent } from '../../src-shared/synopsis/result-content.ts';
import { isTurnStub } from '../../src-shared/synopsis/result-stub.ts';
import type { SharedState } from '../shared-state.ts';
import { toolCallKey } from './capture-tool-result.ts';

/**
 * Hosts before 2026.9.3 show a running turn as they hold it in memory, with large results whole; from the next turn on
 * they show what they wrote. Stored in both forms it would be two results of one call, so what was written takes the place.
 */
export function restoreToolResults(
  shared: SharedState,
  sessionKey: string | undefined,
  messages: readonly HostMessage[],
): HostMessage[] {
  return messages.map((message) => {
    if (message['role'] !== 'toolResult' || typeof message['toolCallId'] !== 'string') return message;
    const written = shared.replacedResults.get(toolCallKey(sessionKey, message['toolCallId']));
    return written !== undefined && written['timestamp'] === message['timestamp'] ? written : message;
  });
}

/** A result that the daemon shortened for a call: the log has it whole, and a tool loop passes the copy back. */
export function isShortenedResult(message: HostMessage): boolean {
  return message['role'] === 'toolResult' && isTurnStub(readResultContent(message['content']).text);
}

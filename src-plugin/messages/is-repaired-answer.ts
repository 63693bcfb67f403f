import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** What hosts of 2026.8 put in the place of an answer that failed before it said anything. */
const failedAnswer = '[assistant turn failed before producing content]';

/**
 * Whether an answer is one that the host made for its own list out of a failed answer, often joined with the one after
 * it. Its transcript has the two as they came, and as such they are stored.
 */
export function isRepairedAnswer(message: HostMessage): boolean {
  const content: unknown = message['content'];
  if (message['role'] !== 'assistant' || !Array.isArray(content)) return false;
  return (content as readonly unknown[]).some(
    (part) => typeof part === 'object' && part !== null && 'text' in part && part.text === failedAnswer,
  );
}

import { maxRequestMessages } from './max-request-messages.ts';
import { tokenFloor } from './token-floor.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** How many older messages are added so that the description begins with a message of the user. */
const searchForUser = 64;

/**
 * Positions of the messages that are described to the daemon, ascending: the newest ones until they surely exceed the
 * budget, and always the first message and every summary that the host made.
 * @param budget tokens; undefined describes as much as one request may carry
 */
export function selectForBudget(messages: readonly HostMessage[], budget: number | undefined): number[] {
  let start = messages.length;
  let tokens = 0;
  const oldest = Math.max(0, messages.length - maxRequestMessages + 100);
  while (start > oldest && (budget === undefined || tokens <= budget)) {
    start -= 1;
    tokens += tokenFloor(messages[start] ?? {});
  }
  for (let steps = 0; steps < searchForUser && start > oldest && messages[start]?.['role'] !== 'user'; steps += 1)
    start -= 1;
  const positions: number[] = [];
  for (let position = 0; position < start; position += 1) {
    if (position === 0 || messages[position]?.['role'] === 'compactionSummary') positions.push(position);
  }
  for (let position = start; position < messages.length; position += 1) positions.push(position);
  return positions.slice(-maxRequestMessages);
}

import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** More characters than a token of real text has: the result is meant to be too low, never too high. */
const charsPerToken = 6;

/**
 * A lower bound of a message's tokens, for deciding how far back a list can matter to a budget. Images count 85.
 * Hosts are typed, not checked: what is no message counts nothing.
 */
export function tokenFloor(message: HostMessage | null | undefined): number {
  if (message === null || message === undefined) return 0;
  return floorOf(message['content']) + floorOf(message['summary']) + floorOf(message['output']);
}

function floorOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / charsPerToken);
  if (!Array.isArray(value)) return 0;
  let tokens = 0;
  for (const part of value as readonly unknown[]) {
    if (typeof part !== 'object' || part === null) continue;
    if ('type' in part && part.type === 'image') tokens += 85;
    if ('text' in part) tokens += floorOf(part.text);
    if ('thinking' in part) tokens += floorOf(part.thinking);
    if ('arguments' in part) tokens += Math.floor(textLength(part.arguments) / charsPerToken);
  }
  return tokens;
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const item of Object.values(value)) length += textLength(item);
  return length;
}

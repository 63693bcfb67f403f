import { hash } from 'node:crypto';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { messageKeyText } from '../../src-shared/protocol/message-key.ts';

/** Keys by message object: hosts show the same objects again on every call of a tool loop. */
const keys = new WeakMap<HostMessage, string>();

/** The key that the daemon knows a message's body by: hex SHA-256 of `messageKeyText`. */
export function messageKey(message: HostMessage): string {
  const known = keys.get(message);
  if (known !== undefined) return known;
  const key = hash('sha256', messageKeyText(message), 'hex');
  keys.set(message, key);
  return key;
}

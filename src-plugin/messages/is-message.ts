import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** Whether a value of the host's list is an object at all; what is in it the daemon judges. */
export function isMessage(value: unknown): value is HostMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

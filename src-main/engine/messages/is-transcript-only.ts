import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';

/** What OpenClaw names itself as provider with, in copies of its own for display and delivery (2026.9.6). */
const copies: ReadonlySet<unknown> = new Set(['delivery-mirror', 'gateway-injected']);

/**
 * Whether an answer is a copy that the host keeps in its transcript and never sends to a provider: of what went out
 * over a channel, or a notice of the gateway. Sent, it would say twice what the model said once.
 */
export function isTranscriptOnly(message: HostMessage): boolean {
  if (message['role'] !== 'assistant') return false;
  return message['provider'] === 'openclaw' && copies.has(message['model']);
}

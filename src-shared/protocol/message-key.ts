import type { HostMessage } from './host-message.ts';

/**
 * The text that a message's key is the SHA-256 of: the message as JSON without what hosts rewrite after the fact
 * (usage is zeroed after a compaction, run ids and sender marks are added on persisting).
 */
export function messageKeyText(message: HostMessage): string {
  return JSON.stringify(message, (key, value: unknown) => (volatileKeys.has(key) ? undefined : value));
}

const volatileKeys: ReadonlySet<string> = new Set(['usage', '__openclaw', 'diagnostics', 'openclawDelivery']);

import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { UsageNumbers } from './usage-of.ts';

/**
 * What an assistant message of OpenClaw says the provider counted for the model call that made it.
 * @returns undefined where it says nothing; the host writes zeros when a call failed and after a compaction
 */
export function messageUsage(message: HostMessage): UsageNumbers | undefined {
  const usage = message['usage'];
  if (message['role'] !== 'assistant' || typeof usage !== 'object' || usage === null) return undefined;
  const fields = usage as Readonly<Record<string, unknown>>;
  const numbers = {
    input: count(fields['input']),
    output: count(fields['output']),
    cache_read: count(fields['cacheRead']),
    cache_write: count(fields['cacheWrite']),
  };
  return numbers.input + numbers.cache_read + numbers.cache_write > 0 ? numbers : undefined;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

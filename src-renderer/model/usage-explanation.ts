import type { ProviderUsage } from '../../src-shared/model/trace.ts';
import { formatCount } from './format-number.ts';
import { formatExactTime } from './format-time.ts';

/** What the provider's number measures: without this it is taken for the same thing as our estimate. */
export function usageExplanation(usage: ProviderUsage): string {
  return [
    `Reported by the provider at ${formatExactTime(usage.reported_at)}${usage.model === undefined ? '' : ` for ${usage.model}`}.`,
    `Whole prompt: ${formatCount(usage.prompt_tokens)} tokens = ${formatCount(usage.input)} new + ${formatCount(usage.cache_read)} read from cache + ${formatCount(usage.cache_write)} written to cache. Answer: ${formatCount(usage.output)} tokens.`,
    'The host’s own system prompt and tool list are part of it and not of our estimate; the signed number is the difference.',
  ].join('\n');
}

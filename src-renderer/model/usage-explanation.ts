import type { ProviderUsage } from '../../src-shared/model/trace.ts';
import { formatCount } from './format-number.ts';
import { formatExactTime } from './format-time.ts';

/** What the provider's number measures: without this it is taken for the same thing as our estimate. */
export function usageExplanation(usage: ProviderUsage): string {
  if (usage.sum_of_model_calls !== undefined) return sumExplanation(usage, usage.sum_of_model_calls);
  return [
    `Reported by the provider at ${formatExactTime(usage.reported_at)}${usage.model === undefined ? '' : ` for ${usage.model}`}.`,
    `Whole prompt: ${formatCount(usage.prompt_tokens)} tokens = ${formatCount(usage.input)} new + ${formatCount(usage.cache_read)} read from cache + ${formatCount(usage.cache_write)} written to cache. Answer: ${formatCount(usage.output)} tokens.`,
    'The host’s own system prompt and tool list are part of it and not of our estimate; the signed number is the difference.',
  ].join('\n');
}

/** Some hosts tell only what a run cost as a whole. */
function sumExplanation(usage: ProviderUsage, modelCalls: number): string {
  return [
    `The host reported one number for a run of ${formatCount(modelCalls)} model calls that began with this call: it is their sum, not the size of one prompt.`,
    `All prompts together: ${formatCount(usage.prompt_tokens)} tokens = ${formatCount(usage.input)} new + ${formatCount(usage.cache_read)} read from cache + ${formatCount(usage.cache_write)} written to cache. All answers: ${formatCount(usage.output)} tokens.`,
    'It cannot be held against our estimate and corrects no count.',
  ].join('\n');
}

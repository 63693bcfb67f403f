import type { AssembleTrace, ProviderUsage } from '../../src-shared/model/trace.ts';
import { formatCount } from './format-number.ts';

/** What the estimate counts, and why the provider’s number is another. */
export function providerSentence(
  { estimated_tokens: estimate }: Pick<AssembleTrace, 'estimated_tokens'>,
  usage: ProviderUsage | undefined,
): string {
  const ours = 'Estimate: the messages of this call and the addition to the system prompt.';
  if (usage === undefined)
    return `${ours} The provider’s number will be larger by the host’s own system prompt and tools.`;
  if (usage.sum_of_model_calls !== undefined) {
    return `${ours} Provider: the sum of ${formatCount(usage.sum_of_model_calls)} model calls, which cannot be held against it.`;
  }
  const more = usage.prompt_tokens - estimate;
  return more > 0
    ? `${ours} Provider: ${formatCount(more)} tokens more, for the host’s own system prompt and tools, and for what the two count differently.`
    : `${ours} Provider: ${formatCount(-more)} tokens less, for the whole prompt.`;
}

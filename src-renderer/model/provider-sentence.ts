import type { AssembleTrace, ProviderUsage } from '../../src-shared/model/trace.ts';
import { formatCount } from './format-number.ts';

/** What the estimate counts, and why the provider’s number is another. */
export function providerSentence(
  { estimated_tokens: estimate }: Pick<AssembleTrace, 'estimated_tokens'>,
  usage: ProviderUsage | undefined,
): string {
  const ours = 'The estimate counts what this call answered: its messages and the addition to the system prompt.';
  if (usage === undefined)
    return `${ours} The provider’s number will be larger by the host’s own system prompt and tools.`;
  if (usage.sum_of_model_calls !== undefined) {
    return `${ours} The provider’s number is the sum of ${formatCount(usage.sum_of_model_calls)} model calls and cannot be held against it.`;
  }
  const more = usage.prompt_tokens - estimate;
  return more > 0
    ? `${ours} The other ${formatCount(more)} tokens that the provider counted are the host’s own system prompt and tools, and what we count differently.`
    : `${ours} The provider counted ${formatCount(-more)} tokens less, for the whole prompt.`;
}

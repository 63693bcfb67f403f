import type { ProviderUsage } from '../../../src-shared/model/trace.ts';
import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';

type UsageEvent = Extract<HostEvent, { readonly type: 'usage' }>;

/**
 * The provider's report in our terms. Cached tokens are part of the prompt. Only a run of one model call tells what
 * one list cost: with tools in between, the host added messages that no assemble call counted.
 */
export function usageOf(event: UsageEvent, now: number): ProviderUsage & { readonly forCalibration: boolean } {
  // Hosts pass on what providers say; a number beyond all measure must not cost the rest of the report.
  const whole = (value: number): number => Math.min(Math.round(value), 1e12);
  const promptTokens = whole(event.input) + whole(event.cache_read) + whole(event.cache_write);
  return {
    input: whole(event.input),
    output: whole(event.output),
    cache_read: whole(event.cache_read),
    cache_write: whole(event.cache_write),
    prompt_tokens: promptTokens,
    model: event.model,
    reported_at: new Date(now).toISOString(),
    forCalibration: event.model_calls === 1 && promptTokens > 0,
  };
}

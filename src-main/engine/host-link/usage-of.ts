import type { ProviderUsage } from '../../../src-shared/model/trace.ts';
import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import type { NewUsage } from '../ports/session-store.ts';

type UsageEvent = Extract<HostEvent, { readonly type: 'usage' }>;

/**
 * A host's report of a whole run in our terms. Of a run of several model calls it is the sum: it measures no list, is
 * shown as what it is, and corrects no count.
 */
export function usageOf(event: UsageEvent, now: number): NewUsage {
  const usage = providerUsage(event, event.model, now);
  const isSum = event.model_calls > 1;
  return {
    ...usage,
    ...(isSum ? { sum_of_model_calls: event.model_calls } : {}),
    forCalibration: !isSum && usage.prompt_tokens > 0,
  };
}

export interface UsageNumbers {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
}

/** Cached tokens are part of the prompt, whether they were read from the cache or written to it. */
export function providerUsage(numbers: UsageNumbers, model: string | undefined, now: number): ProviderUsage {
  const input = whole(numbers.input);
  const cacheRead = whole(numbers.cache_read);
  const cacheWrite = whole(numbers.cache_write);
  return {
    input,
    output: whole(numbers.output),
    cache_read: cacheRead,
    cache_write: cacheWrite,
    prompt_tokens: input + cacheRead + cacheWrite,
    model,
    reported_at: new Date(now).toISOString(),
  };
}

/** Hosts pass on what providers say; a number beyond all measure must not cost the rest of the report. */
function whole(value: number): number {
  return Math.min(Math.round(value), 1e12);
}

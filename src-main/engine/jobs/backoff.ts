/** Longest wait before the second attempt (ms). */
const base = 1_000;
/** Longest wait before any attempt (ms). */
const cap = 10 * 60_000;

/**
 * How long to wait after the n-th failed attempt (ms): exponential with "full jitter", a random share of
 * min(10 min, 1 s × 2^(n-1)). Of the usual ways to spread retries it makes the fewest calls
 * (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015).
 * @param attempt counts from 1
 * @param random from 0 up to 1
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(cap, base * 2 ** (attempt - 1)));
}

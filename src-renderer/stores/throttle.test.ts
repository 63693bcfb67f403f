import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('throttle', () => {
  it('runs at once, then at most once per interval, and never loses the last call', () => {
    let runs = 0;
    const job = throttle(() => (runs += 1), 100);
    for (let call = 0; call < 5; call += 1) job();
    expect(runs).toBe(1);
    vi.advanceTimersByTime(100);
    expect(runs).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(runs).toBe(2);
    job();
    expect(runs).toBe(3);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate } from './calibrate.ts';

/** What a provider would report whose tokenizer counts `ratio` times ours, with a system prompt of `overhead`. */
function samples(ratio: number, overhead: number, estimates: readonly number[]) {
  return estimates.map((estimated) => ({ estimated, provider: Math.round(overhead + ratio * estimated) }));
}

const spread = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

describe('calibrate', () => {
  it('finds the ratio, whatever the host puts around the list', () => {
    expect(calibrate(samples(1.2, 9_000, spread))).toEqual({ ratio: 1.2, samples: 6 });
    expect(calibrate(samples(1.2, 0, spread))).toEqual({ ratio: 1.2, samples: 6 });
  });

  it('trusts no few samples, and none that lie close together', () => {
    expect(calibrate([])).toEqual({ ratio: 1, samples: 0 });
    expect(calibrate(samples(1.5, 0, spread.slice(1)))).toEqual({ ratio: 1, samples: 5 });
    expect(calibrate(samples(1.5, 0, [1_000, 1_200, 1_400, 1_600, 1_800, 2_999]))).toEqual({ ratio: 1, samples: 6 });
  });

  it('stays within 0.7 and 1.6', () => {
    expect(calibrate(samples(9, 0, spread)).ratio).toBe(1.6);
    expect(calibrate(samples(0.01, 0, spread)).ratio).toBe(0.7);
    expect(calibrate(samples(-2, 90_000, spread)).ratio).toBe(0.7);
  });

  it('does not move for small noise, so that lists do not shift from call to call', () => {
    const noisy = samples(1.2, 9_000, spread).map((sample, index) => ({
      ...sample,
      provider: sample.provider + (index % 2 === 0 ? 40 : -40),
    }));
    expect(calibrate(noisy).ratio).toBe(1.2);
  });

  it('gives a usable ratio for all counts', () => {
    const count = fc.nat({ max: 2_000_000 });
    fc.assert(
      fc.property(fc.array(fc.record({ estimated: count, provider: count }), { maxLength: 60 }), (given) => {
        const { ratio } = calibrate(given);
        expect(ratio).toBeGreaterThanOrEqual(0.7);
        expect(ratio).toBeLessThanOrEqual(1.6);
      }),
    );
  });
});

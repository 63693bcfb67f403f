import type { Calibration } from '../../../src-shared/model/trace.ts';

export interface CalibrationSample {
  /** Our tokens of the list and the system prompt addition. */
  readonly estimated: number;
  /** Tokens of the whole prompt as the provider counted it, host's own system prompt and tools included. */
  readonly provider: number;
}

const minSamples = 6;
const minSpread = 2_000;
const lowest = 0.7;
const highest = 1.6;

/**
 * Ordinary least squares of `provider = overhead + ratio × estimated`: the host's own system prompt and tool schemas
 * are the (unknown, steady) overhead, the slope is how this provider's tokenizer differs from ours. Trusted only with
 * enough samples over enough spread, held within 0.7–1.6, rounded to 1/50 so that lists do not shift at every call.
 */
export function calibrate(samples: readonly CalibrationSample[]): Calibration {
  const n = samples.length;
  const spread =
    n === 0 ? 0 : Math.max(...samples.map((s) => s.estimated)) - Math.min(...samples.map((s) => s.estimated));
  if (n < minSamples || spread < minSpread) return { ratio: 1, samples: n };
  const meanX = samples.reduce((sum, s) => sum + s.estimated, 0) / n;
  const meanY = samples.reduce((sum, s) => sum + s.provider, 0) / n;
  let covariance = 0;
  let variance = 0;
  for (const { estimated, provider } of samples) {
    covariance += (estimated - meanX) * (provider - meanY);
    variance += (estimated - meanX) ** 2;
  }
  const slope = covariance / variance;
  return { ratio: Math.round(Math.min(highest, Math.max(lowest, slope)) * 50) / 50, samples: n };
}

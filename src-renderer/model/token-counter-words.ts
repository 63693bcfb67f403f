import type { TokenCounter } from '../../src-shared/model/tokens.ts';
import type { Calibration } from '../../src-shared/model/trace.ts';
import { formatNoun } from './format-number.ts';

/** Only the provider's own number is exact. */
export function isEstimate(counter: TokenCounter): boolean {
  return counter !== 'provider';
}

/** Two or three words for beside the number. */
export function counterName(counter: TokenCounter): string {
  switch (counter) {
    case 'tokenizer':
      return 'tokenizer';
    case 'calibrated':
      return 'calibrated';
    case 'provider':
      return 'provider';
    case 'characters':
      return 'from characters';
  }
}

/** Who counted, in a sentence. */
export function counterSentence(counter: TokenCounter, calibration?: Calibration): string {
  switch (counter) {
    case 'tokenizer':
      return 'An estimate: counted with the o200k_base tokenizer, message wrappers included.';
    case 'calibrated':
      return calibration === undefined
        ? 'An estimate: the tokenizer’s count, corrected by what the provider reported for this model before.'
        : `An estimate: the tokenizer’s count × ${calibration.ratio.toFixed(3)}, learned from ${formatNoun(calibration.samples, 'provider report')} for this model.`;
    case 'provider':
      return 'Reported by the provider.';
    case 'characters':
      return 'A rough estimate from the number of characters: the deadline left no time to count.';
  }
}

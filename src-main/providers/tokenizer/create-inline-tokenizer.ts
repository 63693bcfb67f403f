import type { Tokenizer } from '../../engine/ports/tokenizer.ts';
import { countO200k } from './count-o200k.ts';

/** o200k_base on the calling thread, for scripts and tests that count little. */
export function createInlineTokenizer(): Tokenizer {
  return {
    name: 'o200k_base',
    count: (texts) => Promise.resolve(texts.map(countO200k)),
    close: () => Promise.resolve(),
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignPrefix } from './align-prefix.ts';

/** The definition, in quadratic time. */
function naive(stored: readonly string[], delivered: readonly string[]): number {
  for (let count = Math.min(stored.length, delivered.length); count > 0; count -= 1) {
    const end = stored.slice(stored.length - count);
    if (end.every((key, index) => key === delivered[index])) return count;
  }
  return 0;
}

// Few keys, so that lists overlap in many ways.
const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

describe('alignPrefix', () => {
  it('is the longest end of the one list that starts the other', () => {
    fc.assert(
      fc.property(keys, keys, (stored, delivered) => {
        expect(alignPrefix(stored, delivered)).toBe(naive(stored, delivered));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a list in itself, whole', () => {
    fc.assert(
      fc.property(keys, (list) => {
        expect(alignPrefix(list, list)).toBe(list.length);
      }),
    );
  });

  it('takes long lists of one repeated key', () => {
    const yes = new Array<string>(20_000).fill('yes');
    expect(alignPrefix(yes, yes)).toBe(20_000);
    expect(alignPrefix(yes, [...yes.slice(1), 'no'])).toBe(19_999);
    expect(alignPrefix([...yes, 'no'], yes)).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { toJson, withJsonBytes } from './prepared-json.ts';

describe('toJson', () => {
  it('takes the text that a reply brings along', () => {
    const bytes = new TextEncoder().encode('{"a":1.0}');
    expect(toJson(withJsonBytes({ a: 1 }, () => bytes))).toBe(bytes);
  });

  it('writes every other reply', () => {
    expect([{ a: 1 }, 'x', null, [1]].map(toJson)).toEqual(['{"a":1}', '"x"', 'null', '[1]']);
  });

  it('leaves the reply as it was: the text is not among its fields', () => {
    const reply = withJsonBytes({ a: 1 }, () => new Uint8Array());
    expect({ ...reply }).toEqual({ a: 1 });
    expect(structuredClone(reply)).toEqual({ a: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { toJsonText, withJsonText } from './prepared-json.ts';

describe('toJsonText', () => {
  it('takes the text that a reply brings along', () => {
    expect(toJsonText(withJsonText({ a: 1 }, () => '{"a":1.0}'))).toBe('{"a":1.0}');
  });

  it('writes every other reply', () => {
    expect([{ a: 1 }, 'x', null, [1]].map(toJsonText)).toEqual(['{"a":1}', '"x"', 'null', '[1]']);
  });

  it('leaves the reply as it was: the text is not among its fields', () => {
    const reply = withJsonText({ a: 1 }, () => '');
    expect({ ...reply }).toEqual({ a: 1 });
    expect(structuredClone(reply)).toEqual({ a: 1 });
  });
});

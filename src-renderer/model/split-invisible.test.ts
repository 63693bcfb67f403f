import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countInvisible, splitInvisible } from './split-invisible.ts';

describe('characters that cannot be seen', () => {
  it('are told by name, and the text around them stays', () => {
    expect(splitInvisible('a\u200bb\u202ec\u0000')).toEqual([
      { text: 'a' },
      { text: '\u200b', invisible: { code: 'U+200B', name: 'ZWSP' } },
      { text: 'b' },
      { text: '\u202e', invisible: { code: 'U+202E', name: 'RLO' } },
      { text: 'c' },
      { text: '\u0000', invisible: { code: 'U+0000', name: 'NUL' } },
    ]);
  });

  it('include tags, which carry hidden text, and halves of surrogate pairs', () => {
    const [, tag, , half] = splitInvisible('x\u{e0041}y\ud83d');
    expect(tag?.invisible?.code).toBe('U+E0041');
    expect(half?.invisible).toEqual({ code: 'U+D83D', name: 'half a surrogate pair' });
  });

  it('leave whole emoji, Chinese and line feeds alone', () => {
    expect(splitInvisible('预算\n🎉 ok')).toEqual([{ text: '预算\n🎉 ok' }]);
  });

  it('are counted without tabs, which code is full of', () => {
    expect(countInvisible('\tif\u200b (x)\t{')).toBe(1);
  });

  it('never change the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          splitInvisible(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

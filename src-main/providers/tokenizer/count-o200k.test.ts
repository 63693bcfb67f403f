import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countO200k } from './count-o200k.ts';

const exactly = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** Cut to 3,000 characters: there the tokenizer itself can still tell the exact number in time. */
const long = (unit: string): string => unit.repeat(Math.ceil(3_000 / unit.length)).slice(0, 3_000);

const running = {
  english: 'We moved the database on Tuesday, and nothing broke. The rollback script stays in tools/rollback.sh.',
  chinese: '今天我们讨论了数据库迁移的方案，决定先在测试环境里运行一周。',
  japanese: '今日はデータベースの移行について話し合いました。まずテスト環境で動かします。',
  korean: '오늘 우리는 데이터베이스 이전 계획을 논의했고 먼저 테스트 환경에서 운영하기로 했습니다.',
  emoji: '😀👍🏽👩‍👩‍👧‍👦🇨🇳🚀❤️🙏🏿 done',
  code: 'for (const x of list) {\n\tif (x?.y !== null) await go(x.y, { z: [1, 2] });\n}\n',
};

const unbroken = {
  letters: long('a'),
  'chinese without a stop': long('数据库迁移方案'),
  base64: long('Zm9vYmFyYmF6cXV4'),
  hex: long('8f14e45fceea467f9f1c2f3a'),
  digits: long('8675309124'),
  'minified code': long('if(x?.y!==null)go(x.y,{z:[1,2]});'),
  spaces: long(' '),
  'blank lines': long('\r\n'),
  'spaces of two kinds': long(' \u00a0'),
  emoji: long('😀👍🏽'),
};

describe('countO200k', () => {
  it.each(Object.entries(running))('S37: counts running text exactly as the tokenizer does: %s', (_, text) => {
    expect(countO200k(text)).toBe(exactly(text));
  });

  it.each(Object.entries(unbroken))('counts an unbroken run within 3 %: %s', (_, text) => {
    const deviation = Math.abs(countO200k(text) / exactly(text) - 1);
    expect(deviation).toBeLessThanOrEqual(0.03);
  });

  it.each([' ', '\n', '\r\n', ' \u00a0', '/\n', 'a', '数', '😀', '\ud800', '\u0000', '\u0301'])(
    'comes to an end on 200,000 characters of %j',
    (unit) => {
      // In one piece some of these take the tokenizer several minutes, far beyond what a test may run.
      expect(countO200k(unit.repeat(200_000 / unit.length))).toBeGreaterThan(0);
    },
  );

  it('takes marks of the tokenizer itself for plain text', () => {
    expect(countO200k('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('takes every string, and only the empty one is nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        expect(countO200k(text) > 0).toBe(text !== '');
      }),
    );
  });
});

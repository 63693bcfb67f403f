import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cutBase64, restoreBase64 } from './cut-base64.ts';

const picture = randomBytes(1_500);
const encoded = picture.toString('base64');

describe('cutBase64', () => {
  it('takes the data of an OpenClaw image part out of the text', () => {
    const body = JSON.stringify({ type: 'image', data: encoded, mimeType: 'image/png' });
    expect(cutBase64(body)).toEqual({
      text: '{"type":"image","data":"","mimeType":"image/png"}',
      cuts: [{ offset: 24, bytes: picture }],
    });
  });

  it('takes the data of a data URL out, its prefix stays', () => {
    const { text, cuts } = cutBase64(`{"url":"data:image/png;base64,${encoded}"}`);
    expect([text, cuts.length]).toEqual(['{"url":"data:image/png;base64,"}', 1]);
  });

  it.each(['\\n', '\\/', '\\u00e9', '\\\\', '\\\\\\n'])(
    'knows that %s before it belongs to the JSON text',
    (escape) => {
      const { text, cuts } = cutBase64(`"${escape}${encoded}"`);
      expect([text, cuts[0]?.bytes]).toEqual([`"${escape}"`, picture]);
    },
  );

  it.each([
    ['up to 1,024 characters', randomBytes(768).toString('base64')],
    ['of a length that no encoder makes', encoded.slice(1)],
    ['with bits set that an encoder leaves zero', `${encoded.slice(0, -4)}AAB=`],
    ['with more padding than an encoder writes', `${encoded}=`],
    ['in the URL alphabet', `${encoded.slice(0, 400)}-_-_${encoded.slice(0, 400)}`],
  ])('leaves base64 %s in the text', (_, text) => {
    expect(cutBase64(`"${text}"`)).toEqual({ text: `"${text}"`, cuts: [] });
  });

  it('restores several cuts in their order', () => {
    const body = JSON.stringify(['a😀', encoded, 'b', encoded, encoded, 'c']);
    const { text, cuts } = cutBase64(body);
    expect(cuts).toHaveLength(3);
    expect(restoreBase64(text, cuts)).toBe(body);
  });

  it('works through many runs of just under the limit', () => {
    const body = `${'A'.repeat(1_023)} `.repeat(2_000);
    expect(cutBase64(body).cuts).toEqual([]);
  });

  it.each([
    ['a picture', randomBytes(9_000_000).toString('base64')],
    ['hex', randomBytes(6_000_000).toString('hex')],
    ['digits', '0123456789'.repeat(1_200_000)],
  ])('takes %s of twelve million characters out of the text', (_, run) => {
    const body = `{"data":"${run}"}`;
    const { text, cuts } = cutBase64(body);
    expect([text, cuts.length]).toEqual(['{"data":""}', 1]);
    expect(restoreBase64(text, cuts) === body).toBe(true);
  });

  it('leaves twelve million characters in the text that no encoder makes', () => {
    const body = `"${'a'.repeat(12_000_001)}"`;
    expect(cutBase64(body).cuts).toEqual([]);
  });

  it('finds each run where short ones, padding and escapes stand between them', () => {
    const short = 'A'.repeat(1_023);
    const body = `${short} ${encoded}=${short}-${encoded}\\n${encoded}${'='.repeat(3)}${encoded}/\u00e9${encoded}`;
    const { text, cuts } = cutBase64(body);
    expect(restoreBase64(text, cuts)).toBe(body);
    expect(text).toBe(`${short} ${encoded}=${short}-\\n${encoded}===${encoded}/\u00e9`);
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compressFrom, encodingBits, packBytes, packText, unpackBytes, unpackText } from './pack-bytes.ts';

describe('packText', () => {
  it('leaves short texts plain, so that they can be read without unpacking', () => {
    expect(packText('short 😀')).toEqual({ encoding: encodingBits.plain, bytes: Buffer.from('short 😀') });
  });

  it('compresses long texts', () => {
    const packed = packText('again and again '.repeat(1_000));
    expect(packed.encoding).toBe(encodingBits.zstd);
    expect(packed.bytes.length).toBeLessThan(1_000);
    expect(unpackText(packed)).toBe('again and again '.repeat(1_000));
  });

  it('keeps lone surrogates, short and long', () => {
    for (const text of ['\ud800', '\udc00x'.repeat(5_000)]) expect(unpackText(packText(text))).toBe(text);
    expect(packText('\ud800').encoding).toBe(encodingBits.utf16);
    expect(packText('\udc00x'.repeat(5_000)).encoding).toBe(encodingBits.utf16 | encodingBits.zstd);
  });

  it('keeps bytes plain that compression would make more', () => {
    const noise = randomBytes(compressFrom * 2);
    expect(packBytes(noise)).toEqual({ encoding: encodingBits.plain, bytes: noise });
    expect(unpackBytes(packBytes(noise))).toEqual(noise);
  });
});

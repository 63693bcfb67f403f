import { describe, expect, it } from 'vitest';
import { joinBytes } from './join-bytes.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('joinBytes', () => {
  it('puts texts and bytes behind each other, whatever their width', () => {
    const middle = new TextEncoder().encode('中文😀');
    expect(text(joinBytes(['a', middle, 'é', '', '😀', new Uint8Array()]))).toBe('a中文😀é😀');
  });

  it('has no byte more than its parts', () => {
    expect(joinBytes(['中', 'a']).length).toBe(4);
    expect(joinBytes([]).length).toBe(0);
  });
});

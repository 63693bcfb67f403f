import { expect, test } from 'vitest';
import type { CallDiff } from '../../src-shared/protocol/diff.ts';
import { prefixSentence, stableShare } from './cache-words.ts';

function diff(over: Partial<CallDiff['prefix']>): Pick<CallDiff, 'prefix'> {
  return {
    prefix: {
      messages: 12,
      tokens: 3_000,
      tokens_behind_before: 500,
      tokens_behind_after: 1_000,
      identical: false,
      at: 'message',
      ...over,
    },
  };
}

test('the first message that differs is named by its number', () => {
  expect(prefixSentence(diff({}))).toBe(
    'The first 12 messages, ≈ 3,000 tokens, are the same as in the call before. Message 13 is the first that differs.',
  );
});

test('a list that only grew keeps all of it', () => {
  expect(prefixSentence(diff({ at: 'end' }))).toContain('All of the call before is the beginning of this one');
});

test('a change before the list leaves nothing to the cache', () => {
  expect(prefixSentence(diff({ at: 'system', messages: 0, tokens: 0 }))).toContain('nothing of it can come');
  expect(stableShare(diff({ tokens: 0 }))).toBe(0);
  expect(stableShare(diff({ tokens: 0, tokens_behind_after: 0 }))).toBe(0);
});

test('the stable part is a share of what this call sent', () => {
  expect(stableShare(diff({}))).toBe(0.75);
});

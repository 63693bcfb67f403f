import { describe, expect, it } from 'vitest';
import { readRecallOptions } from './recall-options.ts';

describe('the keys of recall', () => {
  it('nothing set leaves everything to the daemon', () => {
    expect(readRecallOptions(undefined)).toEqual({});
    expect(readRecallOptions({ timeoutMs: 5 })).toEqual({});
  });

  it.each([
    ['autoRecall', true, { enabled: true }],
    ['assembleRecallWindow', 5, { window: 5 }],
    ['assembleRecallWindow', 500, { window: 20 }],
    ['recallLimit', 3, { limit: 3 }],
    ['recallLimit', 3.7, { limit: 3 }],
    ['recallLimit', 900, { limit: 50 }],
    ['recallScoreThreshold', 0, { min_score: 0 }],
    ['recallScoreThreshold', 0.15, { min_score: 0.15 }],
    ['recallScoreThreshold', 7, { min_score: 1 }],
    ['recallTokenBudget', 2_000, { max_tokens: 2_000 }],
    ['recallTokenBudget', 900_000, { max_tokens: 50_000 }],
    ['recallMaxContentChars', 5, { max_item_characters: 20 }],
    ['recallMaxContentChars', 500, { max_item_characters: 500 }],
    ['recallPreferAbstract', true, { prefer_abstract: true }],
    ['recallPreferAbstract', false, { prefer_abstract: false }],
  ])('S66: %s: %s is passed on as %j', (key, value, expected) => {
    expect(readRecallOptions({ [key]: value })).toEqual(expected);
  });

  it.each([
    { autoRecall: false },
    { recallLimit: 0 },
    { recallTokenBudget: 0 },
    { recallMaxContentChars: 0 },
    { assembleRecallWindow: 0 },
  ])('S66: %j turns recall off, whatever else is set', (raw) => {
    expect(readRecallOptions({ recallPreferAbstract: true, ...raw })).toEqual({ enabled: false });
  });

  it.each(['3', -1, Number.NaN, Infinity, null, {}, []])('takes %j as absent', (value) => {
    const keys = ['recallLimit', 'recallScoreThreshold', 'recallTokenBudget', 'assembleRecallWindow', 'autoRecall'];
    expect(readRecallOptions(Object.fromEntries(keys.map((key) => [key, value])))).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { chooseTrigger, type TriggerFacts } from './choose-trigger.ts';

const limits = { budget_share: 0.75, tokens_added: 30_000, turns: 20, interval_minutes: 30 };
const never = { budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0 };
const quiet: TriggerFacts = {
  contextTokens: 1_000,
  budget: 100_000,
  tokensAdded: 500,
  userTurnsAdded: 3,
  turnsAdded: 6,
  rawTurns: 6,
  rawTurnLimit: undefined,
  msPassed: 60_000,
};

describe('a trigger', () => {
  it('is none while nothing is reached', () => {
    expect(chooseTrigger(quiet, limits)).toBeUndefined();
  });

  it.each([
    ['budget', { contextTokens: 75_000 }, { contextTokens: 74_999 }],
    ['tokens_added', { tokensAdded: 30_000 }, { tokensAdded: 29_999 }],
    ['turns', { userTurnsAdded: 20 }, { userTurnsAdded: 19 }],
    ['interval', { msPassed: 1_800_000 }, { msPassed: 1_799_999 }],
  ] as const)('%s applies from its limit on and not before', (name, reached, before) => {
    expect(chooseTrigger({ ...quiet, ...reached }, limits)).toBe(name);
    expect(chooseTrigger({ ...quiet, ...before }, limits)).toBeUndefined();
  });

  it('is the first of those that apply', () => {
    const all = { ...quiet, contextTokens: 90_000, tokensAdded: 40_000, userTurnsAdded: 30, msPassed: 9_000_000 };
    expect(chooseTrigger(all, limits)).toBe('budget');
    expect(chooseTrigger(all, { ...limits, budget_share: 0 })).toBe('tokens_added');
    expect(chooseTrigger(all, { ...limits, budget_share: 0, tokens_added: 0 })).toBe('turns');
    expect(chooseTrigger(all, { ...never, interval_minutes: 30 })).toBe('interval');
    expect(chooseTrigger(all, never)).toBeUndefined();
  });

  it('needs a new turn, however much time has passed', () => {
    const nothingNew = { ...quiet, turnsAdded: 0, tokensAdded: 0, userTurnsAdded: 0, msPassed: 9_000_000 };
    expect(chooseTrigger(nothingNew, limits)).toBeUndefined();
    expect(chooseTrigger({ ...nothingNew, contextTokens: 99_000 }, limits)).toBeUndefined();
  });
});

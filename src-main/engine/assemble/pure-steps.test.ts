import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildUnits } from './build-units.ts';
import { calibratedTokens, tokensWithin } from './calibrated-tokens.ts';
import { chooseWindow, windowStep } from './choose-window.ts';
import { fitMembers } from './fit-members.ts';
import { matchStored } from './match-stored.ts';
import { pairResults } from './pair-results.ts';
import { settleSlots, emptySlot } from './slots.ts';
import { systemAddition } from './system-addition.ts';
import { candidate, units } from './testing/candidates.ts';
import type { TurnMeta } from '../ports/session-store.ts';

const call = (...ids: string[]) => ({ toolCallIds: ids });
const result = (id: string) => ({ toolCallIds: [], toolResultFor: id });
const text = { toolCallIds: [] };

describe('pairResults', () => {
  it('gives each result to the nearest call before it that still waits for one', () => {
    const { answers, orphans } = pairResults([call('x'), text, call('x'), result('x'), result('x')]);
    expect([...answers]).toEqual([
      [0, [4]],
      [2, [3]],
    ]);
    expect(orphans).toEqual([]);
  });

  it('keeps results of one call in the order in which they came', () => {
    expect(pairResults([call('a', 'b'), result('b'), result('a')]).answers.get(0)).toEqual([1, 2]);
  });

  it('names results that stand before their call, or have none', () => {
    expect(pairResults([result('a'), call('a'), result('a'), result('z')]).orphans).toEqual([0, 3]);
  });

  it('never gives a result out twice, nor to a call behind it', () => {
    const message = fc.oneof(
      fc.subarray(['x', 'y', 'z'], { minLength: 1 }).map((ids) => call(...ids)),
      fc.constantFrom('x', 'y', 'z').map(result),
      fc.constant(text),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
        const { answers, orphans } = pairResults(messages);
        const given = [...answers.values()].flat();
        expect(new Set([...given, ...orphans]).size).toBe(given.length + orphans.length);
        expect(given.length + orphans.length).toBe(messages.filter((one) => 'toolResultFor' in one).length);
        for (const [index, results] of answers) {
          for (const at of results) expect(at).toBeGreaterThan(index);
          expect(results.length).toBeLessThanOrEqual(messages[index]?.toolCallIds.length ?? 0);
        }
      }),
    );
  });
});

describe('buildUnits', () => {
  const open = candidate('open', { role: 'assistant', toolCallIds: ['a', 'b'] });
  const answer = candidate('answer', { role: 'tool', toolResultFor: 'a' });

  it('keeps a call with some of its results only at the end of the host’s own list', () => {
    expect(buildUnits([open, answer], true).units).toHaveLength(1);
    expect(buildUnits([open, answer], false).rejected.map(({ reason }) => reason)).toEqual([
      'orphan_tool_call',
      'orphan_tool_call',
    ]);
    expect(buildUnits([{ ...open, hostIndex: undefined }, answer], true).units).toHaveLength(0);
    expect(buildUnits([open, answer, candidate('next')], true).units).toHaveLength(1);
  });

  it('says why it rejects a message', () => {
    const { rejected } = buildUnits(
      [
        candidate('blank', { blank: true }),
        candidate('hidden', { excluded: true }),
        candidate('late', { toolResultFor: 'q' }),
      ],
      true,
    );
    expect(rejected.map(({ candidate: { item }, reason }) => `${item} ${reason}`)).toEqual([
      'blank blank_content',
      'hidden excluded_from_context',
      'late orphan_tool_result',
    ]);
  });
});

describe('chooseWindow', () => {
  const window = (list: string, budget: number, given = {}) =>
    chooseWindow({
      units: units(list),
      budget,
      recentCount: 2,
      userBefore: false,
      hasOlder: false,
      earliest: 0,
      step: 1,
      ...given,
    });

  it('takes everything that fits', () => {
    expect(window('u10 a10 u10 a10', 40)).toMatchObject({ start: 0, anchor: undefined, newestLimit: undefined });
  });

  it('starts on the grid of its steps', () => {
    const list = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'u10' : 'a10')).join(' ');
    const starts = [200, 190, 180, 170].map((budget) => window(list, budget, { step: 40 }).start);
    expect(starts).toEqual([20, 24, 24, 24]);
  });

  it('is the same wherever the log is looked at from', () => {
    const all = units(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'u10' : 'a10')).join(' '));
    const from = (first: number) => {
      const part = all.slice(first);
      const chosen = chooseWindow({
        units: part,
        budget: 200,
        recentCount: 2,
        userBefore: false,
        hasOlder: first > 0,
        earliest: 0,
        step: 64,
      });
      return part[chosen.start]?.members[0]?.item;
    };
    expect(from(20)).toBe(from(0));
    expect(from(31)).toBe(from(0));
  });

  it('holds the newest messages where they fit, also against the grid', () => {
    expect(window('u10 a10 u10 a90', 100, { step: 1_000 }).start).toBe(2);
  });

  it('always holds the newest unit, and says to what it must be cut', () => {
    expect(window('u10 a10 u500', 100)).toMatchObject({ start: 2, newestLimit: 100 });
    expect(window('u10 a10 u500', 0)).toMatchObject({ start: 2, newestLimit: 0 });
  });

  it('puts the user message before a loop that has none of its own', () => {
    expect(window('u20 a40 a40 a40 a40', 120)).toMatchObject({ start: 3, anchor: { index: 0, limit: 20 } });
  });

  it('cuts a large user message before a loop to a quarter of the budget', () => {
    const long = `u900 ${'a100 '.repeat(8)}a100`;
    expect(window(long, 600)).toMatchObject({ anchor: { index: 0, limit: 150 } });
  });

  it('begins at the next user message where little is lost by it', () => {
    expect(window('u10 a10 a10 u10 a10 u10 a10', 50, { step: 16 })).toMatchObject({ start: 3, anchor: undefined });
  });

  it('takes more than the newest also where all that is known lies between two steps', () => {
    const known = units(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'u10' : 'a10')).join(' '));
    const later = known.map((unit, at) => ({
      ...unit,
      members: unit.members.map((member) => ({ ...member, position: 1_030 + at * 10 })),
    }));
    const given = { budget: 4_000, recentCount: 2, userBefore: true, hasOlder: true, earliest: 0, step: 1_024 };
    const { start } = chooseWindow({ units: later, ...given });
    expect(start).toBe(25);
  });

  it('has nothing to choose from an empty conversation, and needs no user where there is none', () => {
    expect(
      chooseWindow({ units: [], budget: 10, recentCount: 2, userBefore: false, hasOlder: false, earliest: 0, step: 1 })
        .start,
    ).toBe(0);
    expect(window('a10 a10 a10', 20)).toMatchObject({ start: 1, anchor: undefined });
  });

  it('starts with any role behind a summary', () => {
    expect(window('u10 a10 u10 a10', 30, { userBefore: true }).start).toBe(1);
  });

  it('moves in steps of a quarter of the power of two', () => {
    expect([0, 4, 1_000, 128_000, 131_072].map(windowStep)).toEqual([1, 1, 128, 16_384, 32_768]);
  });
});

describe('fitMembers', () => {
  it('keeps small ones whole and shares the rest', () => {
    expect(fitMembers([10, 1_000, 30, 2_000], 400)).toEqual([10, 180, 30, 180]);
    expect(fitMembers([5, 5], 100)).toEqual([5, 5]);
    expect(fitMembers([5, 5], -1)).toEqual([0, 0]);
  });

  it('never gives more than the limit, nor more than there is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { maxLength: 8 }), fc.nat(9_000), (tokens, limit) => {
        const fitted = fitMembers(tokens, limit);
        expect(fitted.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(limit);
        fitted.forEach((one, index) => expect(one).toBeLessThanOrEqual(tokens[index] ?? 0));
      }),
    );
  });
});

describe('matchStored', () => {
  const turn = (sequence: number, messageKey: string, identity = `single:${sequence}`): TurnMeta =>
    ({ sequence, messageKey, identity }) as TurnMeta;

  it('takes a message with a time for the turn with its key, wherever that stands', () => {
    const stored = [turn(1, 'k', 'k'), turn(2, 'l', 'l')];
    expect(matchStored(['k', 'x'], stored, 9).map((meta) => meta?.sequence)).toEqual([1, undefined]);
    expect(matchStored(['k'], stored, 9).map((meta) => meta?.sequence)).toEqual([1]);
  });

  it('takes words without a time for the newest turn of those words before what follows', () => {
    const stored = [turn(1, 'ok'), turn(2, 'a'), turn(3, 'ok'), turn(4, 'b')];
    expect(matchStored(['ok', 'a', 'ok', 'b'], stored, 4).map((meta) => meta?.sequence)).toEqual([1, 2, 3, 4]);
    expect(matchStored(['ok', 'a', 'x'], stored, 4).map((meta) => meta?.sequence)).toEqual([1, 2, undefined]);
  });

  it('takes the newest message for a stored one only if that is the newest in the log', () => {
    const stored = [turn(1, 'ok'), turn(2, 'a')];
    expect(matchStored(['ok'], stored, 2)).toEqual([undefined]);
    expect(matchStored(['a'], stored, 2).map((meta) => meta?.sequence)).toEqual([2]);
  });

  it('gives no turn to two messages', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.array(fc.constantFrom('a', 'b', 'c')), (keys, log) => {
        const stored = log.map((key, index) => turn(index + 1, key));
        const found = matchStored(keys, stored, log.length).flatMap((meta) => (meta ? [meta.sequence] : []));
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
      }),
    );
  });
});

describe('calibrated tokens', () => {
  it('never put a list over its budget by rounding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 35, max: 80 }), (budget, fiftieths) => {
        const ratio = fiftieths / 50;
        expect(calibratedTokens(tokensWithin(budget, ratio), ratio)).toBeLessThanOrEqual(budget);
        expect(calibratedTokens(tokensWithin(budget, ratio) + 1, ratio)).toBeGreaterThan(budget);
      }),
    );
  });
});

describe('settleSlots', () => {
  const item = (kind: 'raw_turn' | 'tool_result' | 'summary' | 'profile', tokens: number) => ({
    item: { item: kind, kind, source: 'host' as const, role: 'user', count: 1, tokens, preview: '' },
    decision: {
      seq: 0,
      item: kind,
      action: 'included' as const,
      reason: 'within_budget' as const,
      scores: {},
      tokens_before: tokens,
      tokens_after: tokens,
      budget_left: 0,
    },
  });

  it('counts results and summaries with the raw turns where they have no slot, and gives a slot to what has none', () => {
    const entries = [item('raw_turn', 5), item('tool_result', 7), item('summary', 11), item('profile', 13)];
    const slots = settleSlots(
      [emptySlot('raw_turn', 100, 'r'), { ...emptySlot('free', 0, 'f'), used: 99 }],
      entries.map((one) => one.item),
      entries.map((one) => one.decision),
      50,
    );
    expect(slots.map(({ kind, used }) => [kind, used])).toEqual([
      ['raw_turn', 23],
      ['profile', 13],
      ['free', 14],
    ]);
  });
});

describe('systemAddition', () => {
  it('is made of the standing instructions and of what the tools allow, and is empty without either', () => {
    expect(systemAddition('  ', undefined)).toBe('');
    expect(systemAddition(' Be kind. ', [])).toBe('Be kind.');
    expect(systemAddition('Be kind.', ['memory_expand', 'read'])).toMatch(/^Be kind\.\n\n.*memory_expand/);
  });
});

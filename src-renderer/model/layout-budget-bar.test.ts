import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutBudgetBar } from './layout-budget-bar.ts';
import { segmentKinds } from './segment-kinds.ts';

describe('the budget bar', () => {
  it('stacks segments in reading order and ends with what is free', () => {
    const layout = layoutBudgetBar({ tool_result: 100, system: 50, raw_turn: 250 }, 1_000);
    expect(layout.segments).toEqual([
      { kind: 'system', tokens: 50, share: 0.05 },
      { kind: 'raw_turn', tokens: 250, share: 0.25 },
      { kind: 'tool_result', tokens: 100, share: 0.1 },
      { kind: 'free', tokens: 600, share: 0.6 },
    ]);
    expect(layout).toMatchObject({ used: 400, free: 600, over: 0, budgetMark: 1, usedShare: 0.4 });
  });

  it('grows beyond the budget and marks where it ends', () => {
    const layout = layoutBudgetBar({ raw_turn: 1_250 }, 1_000);
    expect(layout).toMatchObject({ free: 0, over: 250, budgetMark: 0.8, usedShare: 1.25 });
    expect(layout.segments).toEqual([{ kind: 'raw_turn', tokens: 1_250, share: 1 }]);
  });

  it('takes free space from the budget, not from a slot that repeats it', () => {
    expect(layoutBudgetBar({ raw_turn: 300, free: 9_999 }, 1_000).free).toBe(700);
  });

  it('draws nothing where there is neither budget nor use', () => {
    expect(layoutBudgetBar({}, 0)).toEqual({
      segments: [],
      used: 0,
      free: 0,
      over: 0,
      budgetMark: 1,
      usedShare: undefined,
    });
  });

  it('always fills the bar, whatever the numbers', () => {
    const tokens = fc.nat({ max: 2_000_000 });
    const used = fc.record({ system: tokens, summary: tokens, raw_turn: tokens, tool_result: tokens });
    fc.assert(
      fc.property(used, fc.integer({ min: 1, max: 2_000_000 }), (byKind, budget) => {
        const layout = layoutBudgetBar(byKind, budget);
        const shares = layout.segments.reduce((sum, segment) => sum + segment.share, 0);
        expect(shares).toBeCloseTo(1, 9);
        expect(layout.used + layout.free - layout.over).toBe(budget);
      }),
    );
  });
});

describe('kinds of segment', () => {
  it('have a letter and a name of their own each', () => {
    expect(new Set(segmentKinds.map((words) => words.letter)).size).toBe(segmentKinds.length);
    expect(new Set(segmentKinds.map((words) => words.name)).size).toBe(segmentKinds.length);
  });
});

import { describe, expect, it } from 'vitest';
import { TurnBudget } from './turn-budget.ts';

function run(...given: (number | undefined)[]): (number | undefined)[] {
  const budget = new TurnBudget();
  return given.map((tokens) => budget.next(tokens));
}

describe('TurnBudget', () => {
  it('never fills the gross window of a tool loop, and takes off what came to the turn (recorded on 2026.9.6)', () => {
    expect(run(165_711, 199_958, 198_375)).toEqual([165_711, 165_711, 165_711 - 1_583]);
  });

  it('keeps the net number where the host gives the window every time (recorded on 2026.7.1 and 2026.8.2)', () => {
    expect(run(34_696, 64_000, 64_000)).toEqual([34_696, 34_696, 34_696]);
  });

  it('begins anew with the attempt after an overflow (recorded on 2026.9.6)', () => {
    const budget = new TurnBudget();
    expect([budget.next(11_704), budget.next(31_954)]).toEqual([11_704, 11_704]);
    budget.reset();
    expect([budget.next(11_602), budget.next(31_870)]).toEqual([11_602, 11_602]);
  });

  it('takes a smaller number before any loop for a new attempt', () => {
    expect(run(11_704, 11_650)).toEqual([11_704, 11_650]);
  });

  it('stays positive whatever the host gives', () => {
    expect(run(100, 5_000, 10)).toEqual([100, 100, 1]);
    expect(run(-5, Number.NaN, 0.5)).toEqual([1, 1, 1]);
    expect(run(undefined, 7.9)).toEqual([undefined, 7]);
  });
});

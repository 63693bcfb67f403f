import { expect, test } from 'vitest';
import type { MinimalBudgetReply } from '../../src-shared/protocol/replay.ts';
import { leastBudgetSentence } from './least-budget-sentence.ts';

function reply(over: Partial<MinimalBudgetReply>): MinimalBudgetReply {
  return {
    item: 'turn:12',
    state: 'found',
    recorded_budget: 24_000,
    token_budget: 31_200,
    action: 'included',
    tries: [],
    exact: true,
    notes: [],
    is_monotone: true,
    ...over,
  };
}

test('the least budget is named with what it is more than that of the call', () => {
  expect(leastBudgetSentence(reply({}))).toBe(
    'A budget of 31,200 tokens would have sent it: +7,200 to the 24,000 of this call.',
  );
});

test('an answer that is not exact says so, and so does one with gaps above it', () => {
  expect(leastBudgetSentence(reply({ exact: false }))).toContain('close and not exact');
  expect(leastBudgetSentence(reply({ is_monotone: false }))).toContain('Some larger budgets do not send it');
});

test('where no budget helps, the reason stands', () => {
  const none = reply({
    state: 'none',
    token_budget: undefined,
    reason: { code: 'recall_below_threshold', message: 'it scored too low' },
  });
  expect(leastBudgetSentence(none)).toBe('No budget sends it: it scored too low.');
});

import { describe, expect, it } from 'vitest';
import { assistant, user } from '../testing/messages.ts';
import { selectForBudget } from './select-for-budget.ts';

const conversation = Array.from({ length: 1_000 }, (_, i) =>
  i % 2 === 0 ? user(`question ${i} ${'word '.repeat(40)}`) : assistant(`answer ${i} ${'word '.repeat(40)}`),
);

describe('selectForBudget', () => {
  it('describes everything when the budget holds it', () => {
    expect(selectForBudget(conversation, 1_000_000)).toEqual(conversation.map((_, i) => i));
  });

  it('describes the first message and the newest ones that surely exceed the budget, from a message of the user on', () => {
    const selected = selectForBudget(conversation, 2_000);
    expect(selected[0]).toBe(0);
    const newest = selected.slice(1);
    expect(newest.at(-1)).toBe(999);
    expect(newest).toEqual(Array.from({ length: newest.length }, (_, i) => 1_000 - newest.length + i));
    expect(conversation[newest[0] ?? 1]?.['role']).toBe('user');
    // 40 words and some are more than 35 tokens each: 2,000 tokens fit in fewer than 60 of these messages.
    expect(newest.length).toBeGreaterThan(40);
    expect(newest.length).toBeLessThan(100);
  });

  it('always describes the summaries that the host made', () => {
    const list = conversation.with(10, { role: 'compactionSummary', summary: 's', tokensBefore: 1, timestamp: 1 });
    expect(selectForBudget(list, 500)).toContain(10);
  });

  it('never describes more than one request may carry', () => {
    const many = Array.from({ length: 25_000 }, () => user(''));
    expect(selectForBudget(many, undefined).length).toBeLessThanOrEqual(20_000);
    expect(selectForBudget(many, 10).at(-1)).toBe(24_999);
  });

  it('takes an empty list, and messages of any shape', () => {
    expect(selectForBudget([], 100)).toEqual([]);
    const odd = [
      {},
      { role: 'user', content: null },
      { role: 'x', content: [null, 5, {}, { type: 'image' }, { arguments: null }] },
    ];
    expect(selectForBudget(odd, 100)).toEqual([0, 1, 2]);
  });
});

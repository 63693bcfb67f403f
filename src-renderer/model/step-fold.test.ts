import { expect, test } from 'vitest';
import { nextStep, stepFold } from './step-fold.ts';
import { sampleDecision, sampleItem, sampleTrace } from './testing/samples.ts';

const trace = sampleTrace({
  items: [
    sampleItem({ item: 'addition', kind: 'system' }),
    sampleItem({ item: 'new' }),
    sampleItem({ item: 'result', kind: 'tool_result' }),
    sampleItem({ item: 'old' }),
  ],
  decisions: [
    sampleDecision({ seq: 0, item: 'addition', tokens_after: 100, budget_left: 900 }),
    sampleDecision({ seq: 1, item: 'new', tokens_after: 40, budget_left: 860 }),
    sampleDecision({ seq: 2, item: 'result', action: 'trimmed', tokens_after: 10, budget_left: 850 }),
    sampleDecision({ seq: 3, item: 'old', action: 'dropped', tokens_after: 0, budget_left: 850 }),
  ],
  output: [
    { host: 0, item: 'result' },
    { host: 1, item: 'new' },
  ],
});

test('each step knows what was taken so far, by kind, and what was left before and after it', () => {
  const fold = stepFold(trace);
  expect(fold.start).toBe(1_000);
  expect(fold.at(0)).toMatchObject({ used: { system: 100 }, taken: 100, leftBefore: 1_000, left: 900 });
  expect(fold.at(2)).toMatchObject({
    used: { system: 100, raw_turn: 40, tool_result: 10 },
    taken: 150,
    leftBefore: 860,
    left: 850,
    counts: { included: 2, trimmed: 1, dropped: 0 },
  });
  expect(fold.at(3)?.counts).toEqual({ included: 2, trimmed: 1, dropped: 1 });
});

test('the window fills up in the order in which it is sent, what goes before the list first', () => {
  const fold = stepFold(trace);
  const itemsAt = (index: number) => fold.windowAt(index).map(({ decision }) => decision.item);
  expect(itemsAt(1)).toEqual(['addition', 'new']);
  expect(itemsAt(2)).toEqual(['addition', 'result', 'new']);
  expect(itemsAt(3)).toEqual(['addition', 'result', 'new']);
});

test('a step that does not exist has no state', () => {
  const fold = stepFold(trace);
  expect(fold.at(4)).toBeUndefined();
  expect(fold.at(-1)).toBeUndefined();
  expect(fold.indexOf(7)).toBe(-1);
  expect(stepFold(sampleTrace({ decisions: [] })).at(0)).toBeUndefined();
});

test('running to an item goes round at the end, in both directions, and stays when nothing fits', () => {
  const { rows } = stepFold(trace);
  const isTurn = ({ item }: (typeof rows)[number]) => item?.kind === 'raw_turn';
  expect(nextStep(rows, 1, 1, isTurn)).toBe(3);
  expect(nextStep(rows, 3, 1, isTurn)).toBe(1);
  expect(nextStep(rows, 1, -1, isTurn)).toBe(3);
  expect(nextStep(rows, 0, 1, () => false)).toBeUndefined();
});

test('2,000 decisions are folded once; each of them is then a lookup with the sums of all before it', () => {
  const count = 2_000;
  const fold = stepFold(
    sampleTrace({
      items: Array.from({ length: count }, (_, index) => sampleItem({ item: `turn:${index}` })),
      decisions: Array.from({ length: count }, (_, seq) =>
        sampleDecision({ seq, item: `turn:${seq}`, tokens_after: 3, budget_left: 10_000 - 3 * (seq + 1) }),
      ),
      output: Array.from({ length: count }, (_, index) => ({ host: index, item: `turn:${count - 1 - index}` })),
    }),
  );
  expect(fold.at(count - 1)).toMatchObject({ taken: 6_000, left: 4_000 });
  expect(fold.windowAt(count - 1)[0]?.decision.seq).toBe(count - 1);
});

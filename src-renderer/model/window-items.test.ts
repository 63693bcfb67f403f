import { expect, test } from 'vitest';
import { sampleDecision, sampleItem, sampleTrace } from './testing/samples.ts';
import { windowItems, windowLines } from './window-items.ts';

const at = Date.parse('2026-11-03T10:15:00.000Z');
const trace = sampleTrace({
  items: [
    sampleItem({ item: 'a' }),
    sampleItem({ item: 'b', kind: 'tool_result', source: 'host' }),
    sampleItem({ item: 'c', kind: 'recalled_memory', source: 'engine', uri: 'strata://user/me/memories/facts/tea' }),
    sampleItem({ item: 'd' }),
  ],
  decisions: [
    sampleDecision({ seq: 0, item: 'a', tokens_after: 20 }),
    sampleDecision({ seq: 1, item: 'b', tokens_after: 60 }),
    sampleDecision({ seq: 2, item: 'c', tokens_after: 20 }),
    sampleDecision({ seq: 3, item: 'd', action: 'dropped', tokens_after: 0 }),
  ],
  output: ['c', 'b', 'a'].map((item, host) => ({ host, item })),
});
const reply = {
  missing: [],
  messages: [
    { item: 'c', content_hash: '1', message: 'text' },
    { item: 'b', content_hash: '2', message: { toolCallId: 'x', timestamp: at - 90_000 } },
    {
      item: 'a',
      content_hash: '3',
      message: { content: [{ type: 'toolCall', id: 'x', name: 'exec' }], timestamp: at - 120_000 },
    },
  ],
};

test('what was sent stands in its order with its share of the tokens; what was left out does not', () => {
  const items = windowItems(trace, reply);
  expect(items.map(({ order, row, share }) => [order, row.decision.item, share])).toEqual([
    [1, 'c', 0.2],
    [2, 'b', 0.6],
    [3, 'a', 0.2],
  ]);
});

test('tools, pages and ages are known where the messages tell them', () => {
  const [page, result, call] = windowItems(trace, reply);
  expect(page).toMatchObject({ tool: undefined, age: undefined });
  expect(page?.page).toContain('tea');
  expect(result).toMatchObject({ tool: 'exec', age: 90_000 });
  expect(call).toMatchObject({ tool: 'exec', age: 120_000 });
  expect(windowItems(trace, undefined)[1]).toMatchObject({ tool: undefined, age: undefined });
});

test('groups stand by their tokens, with the sums of their items, which keep the chosen order', () => {
  const lines = windowLines(windowItems(trace, reply), 'tool', 'tokens', true);
  expect(lines.map(({ group, item }) => group?.name ?? item?.row.decision.item)).toEqual([
    'exec',
    'b',
    'a',
    'No tool',
    'c',
  ]);
  expect(lines[0]?.group).toEqual({ name: 'exec', items: 2, tokens: 80, share: 0.8 });
});

test('items with equal values stay in the order of the window', () => {
  const lines = windowLines(windowItems(trace, reply), 'none', 'tokens', false);
  expect(lines.map(({ item }) => item?.order)).toEqual([1, 3, 2]);
});

import { expect, test } from 'vitest';
import type { CallDiff, DiffEntry } from '../../src-shared/protocol/diff.ts';
import { decisionRows } from './decision-rows.ts';
import { countGroups, diffGroup, diffRows, inputChange } from './diff-rows.ts';
import { sampleTrace } from './testing/samples.ts';

function entry(over: Partial<DiffEntry>): DiffEntry {
  return {
    item: 'turn:17',
    kind: 'raw_turn',
    preview: 'What did we decide?',
    status: 'same',
    window: 'stays',
    fields: [],
    tokens_delta: 0,
    ...over,
  };
}

const side = {
  item: 'turn:17',
  action: 'included',
  reason: 'within_budget',
  tokens_before: 40,
  tokens_after: 40,
  scores: {},
} as const;

function diffOf(entries: readonly DiffEntry[]): CallDiff {
  return {
    entries: [...entries],
    counts: { same: 0, moved: 0, changed: 0, added: 0, removed: 0, entered: 0, left: 0 },
    kinds: [],
    tokens: { before: 0, after: 0, delta: 0 },
    prefix: { messages: 0, tokens: 0, tokens_behind_before: 0, tokens_behind_after: 0, identical: false, at: 'end' },
    inputs: [],
  };
}

test('whether the model saw it goes before what else became of it', () => {
  expect(diffGroup(entry({ status: 'changed', window: 'entered' }))).toBe('entered');
  expect(diffGroup(entry({ status: 'removed', window: 'left' }))).toBe('left');
  expect(diffGroup(entry({ status: 'changed', window: 'out' }))).toBe('aside');
  expect(diffGroup(entry({ status: 'moved', window: 'stays' }))).toBe('moved');
  expect(diffGroup(entry({ status: 'changed', window: 'stays' }))).toBe('changed');
  expect(diffGroup(entry({ status: 'same', window: 'out' }))).toBe('same');
});

test('an entry finds the decisions of both calls, and can be searched by their reasons', () => {
  const trace = sampleTrace();
  const rows = diffRows(diffOf([entry({ after: { ...side } })]), [], decisionRows(trace));
  expect(rows[0]?.after?.decision.reason).toBe('within_budget');
  expect(rows[0]?.before).toBeUndefined();
  expect(rows[0]?.search).toContain('of budget taken');
});

test('entries are counted by their group', () => {
  const rows = diffRows(diffOf([entry({}), entry({ window: 'entered', status: 'added' })]), [], []);
  expect(countGroups(rows)).toEqual({ entered: 1, left: 0, changed: 0, moved: 0, aside: 0, same: 1 });
});

test('what the calls were made with is named in words, hashes are cut', () => {
  expect(inputChange({ field: 'token_budget', before: 64_000, after: 24_000 })).toBe('Budget 64,000 → 24,000');
  expect(inputChange({ field: 'model', before: undefined, after: 'm' })).toBe('Model none → m');
  expect(inputChange({ field: 'config_hash', before: 'a'.repeat(64), after: 'b'.repeat(64) })).toBe(
    'Configuration aaaaaaaa… → bbbbbbbb…',
  );
});

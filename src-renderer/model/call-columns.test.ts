import { expect, test } from 'vitest';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import { callColumns } from './call-columns.ts';
import { sampleCheckpoint } from './testing/samples.ts';

function call(minute: number, over: Partial<CallSummary> = {}): CallSummary {
  return {
    call_id: `call_${minute}`,
    session_uid: 'sess_1',
    session_id: 'session-1',
    session_key: 'agent:main:main',
    agent_id: 'main',
    epoch: 0,
    created_at: time(minute),
    duration_ms: 1,
    strategy: 'strata',
    token_budget: 1_000,
    estimated_tokens: 500,
    counter: 'tokenizer',
    used: { summary: 100, raw_turn: 400 },
    included: 1,
    trimmed: 0,
    dropped: 0,
    ...over,
  };
}

const time = (minute: number): string => new Date(Date.UTC(2026, 10, 3, 10, minute)).toISOString();
const checkpoint = (minute: number) =>
  sampleCheckpoint({ checkpoint_id: `ckpt_${minute}`, committed_at: time(minute) });

test('columns share one scale, the largest budget or use; what goes beyond the budget is on record', () => {
  const { columns, top } = callColumns([call(2, { estimated_tokens: 2_000 }), call(1)], []);
  expect(top).toBe(2_000);
  expect(columns[0]).toMatchObject({ used: 1, budget: 0.5, over: 0.5 });
  expect(columns[1]?.segments.map(({ kind, height }) => [kind, height])).toEqual([
    ['summary', 0.05],
    ['raw_turn', 0.2],
  ]);
});

test('a compaction stands at the first call after it', () => {
  const { columns } = callColumns(
    [call(9), call(6), call(3)],
    [checkpoint(8), checkpoint(7), checkpoint(4), checkpoint(1)],
  );
  expect(columns.map(({ compactions }) => compactions.map((one) => one.checkpoint_id))).toEqual([
    ['ckpt_7', 'ckpt_8'],
    ['ckpt_4'],
    [],
  ]);
});

test('a compaction after the newest call stands at none yet', () => {
  const { columns } = callColumns([call(9), call(6)], [checkpoint(10), checkpoint(7)]);
  expect(columns[0]?.compactions.map((one) => one.checkpoint_id)).toEqual(['ckpt_7']);
});

test('calls that were only prepared have no column, and sums over several model calls no mark', () => {
  const usage = {
    input: 1,
    output: 1,
    cache_read: 0,
    cache_write: 0,
    prompt_tokens: 800,
    reported_at: time(2),
    sum_of_model_calls: 2,
  };
  const sent = call(2, { prompt_preview: 'Hi', usage });
  const prepared = call(1, { prompt_preview: 'Hi', created_at: time(2) });
  const { columns, preparations } = callColumns([sent, prepared], []);
  expect(columns.map((column) => column.provider)).toEqual([undefined]);
  expect(preparations).toBe(1);
});

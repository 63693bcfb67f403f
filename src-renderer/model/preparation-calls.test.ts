import { describe, expect, it } from 'vitest';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import { newestBudget } from './newest-budget.ts';
import { preparationCalls } from './preparation-calls.ts';

const call = (id: string, second: number, over: Partial<CallSummary> = {}): CallSummary => ({
  call_id: id,
  session_uid: 'sess_1',
  session_id: 'session-1',
  session_key: 'agent:main:main',
  agent_id: 'main',
  epoch: 0,
  created_at: new Date(Date.parse('2026-11-03T10:00:00Z') + second * 1_000).toISOString(),
  duration_ms: 1,
  strategy: 'strata',
  prompt_preview: 'Where is it?',
  token_budget: 1_000,
  estimated_tokens: 100,
  counter: 'tokenizer',
  used: {},
  included: 1,
  trimmed: 0,
  dropped: 0,
  ...over,
});
const usage = {
  input: 100,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  prompt_tokens: 100,
  reported_at: '2026-11-03T10:00:01Z',
};
const found = (...calls: CallSummary[]) => [...preparationCalls(calls)];

describe('a call that only prepared a request', () => {
  it('was followed at once by another for the same prompt, and no provider reported on it', () => {
    expect(found(call('sent', 1, { usage }), call('prepared', 0))).toEqual(['prepared']);
    expect(found(call('under way', 1), call('prepared', 0))).toEqual(['prepared']);
  });

  it('is none of those that were reported on, answer another prompt or epoch, or may have failed a while before', () => {
    expect(found(call('second', 1, { usage }), call('first', 0, { usage }))).toEqual([]);
    expect(found(call('second', 1), call('first', 0, { prompt_preview: 'And then?' }))).toEqual([]);
    expect(found(call('second', 1, { epoch: 1 }), call('first', 0))).toEqual([]);
    expect(found(call('second', 40), call('first', 0))).toEqual([]);
    expect(found(call('only', 0))).toEqual([]);
  });
});

describe('the budget of a call', () => {
  it('is that of the newest call which fitted it, else of the newest one', () => {
    expect(newestBudget([call('loop', 1, { token_budget: 1 }), call('first', 0)])).toBe(1_000);
    expect(newestBudget([call('loop', 1, { token_budget: 1 })])).toBe(1);
    expect(newestBudget([])).toBeUndefined();
  });
});

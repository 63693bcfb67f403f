import { describe, expect, it } from 'vitest';
import type { TraceDecision, TraceItem } from '../model/trace.ts';
import { diffCalls, type ComparedCall } from './diff-calls.ts';

type Given = Partial<TraceItem> & Pick<TraceItem, 'item'> & { readonly dropped?: boolean; readonly after?: number };

/** A call over these candidates; those that are not dropped are sent in this order. */
function call(given: readonly Given[], more: Partial<ComparedCall> = {}): ComparedCall {
  const items = given.map(({ dropped: _, after: __, ...item }): TraceItem => ({
    ...{ kind: 'raw_turn', source: 'store', role: 'user', count: 1, tokens: 10, preview: item.item },
    content_hash: `hash of ${item.item}`,
    ...item,
  }));
  const decisions = given.map(({ item, dropped = false, after = 10 }, seq): TraceDecision => ({
    ...{ seq, item, scores: {}, tokens_before: 10, budget_left: 0 },
    action: dropped ? 'dropped' : 'included',
    reason: dropped ? 'over_budget' : 'within_budget',
    tokens_after: dropped ? 0 : after,
  }));
  const sent = given.filter(({ dropped = false }) => !dropped);
  return {
    items,
    decisions,
    output: sent.map(({ item }) => ({ inline: `hash of ${item}`, item })),
    output_hash: sent.map(({ item }) => item).join(),
    estimated_tokens: sent.length * 10,
    ...{ token_budget: 100, strategy: 'strata', format: 'openclaw', history: 'full', epoch: 0 },
    ...{ config_hash: 'c', engine_version: '1', host_message_count: 0, stored_turn_count: 0 },
    calibration: { ratio: 1, samples: 0 },
    ...more,
  };
}

const names = (...list: readonly string[]): Given[] => list.map((item) => ({ item }));

function byItem(a: ComparedCall, b: ComparedCall): Record<string, string> {
  return Object.fromEntries(diffCalls(a, b).entries.map(({ item, status, window }) => [item, `${status} ${window}`]));
}

describe('the difference of two calls', () => {
  it('of a call to itself is none', () => {
    const one = call(names('a', 'b', 'c'));
    const diff = diffCalls(one, one);
    expect(diff.counts).toEqual({ same: 3, moved: 0, changed: 0, added: 0, removed: 0, entered: 0, left: 0 });
    expect(diff.prefix).toEqual({
      ...{ messages: 3, tokens: 30, tokens_behind_before: 0, tokens_behind_after: 0 },
      ...{ identical: true, at: 'nowhere' },
    });
    expect(diff.inputs).toEqual([]);
  });

  it('pairs by name: what was added, removed, left out and taken in', () => {
    const a = call([...names('a', 'b'), { item: 'c', dropped: true }, { item: 'gone' }]);
    const b = call([{ item: 'a' }, { item: 'b', dropped: true }, { item: 'c' }, { item: 'new' }]);
    expect(byItem(a, b)).toEqual({
      a: 'same stays',
      b: 'changed left',
      c: 'changed entered',
      new: 'added entered',
      gone: 'removed left',
    });
  });

  it('a live message that is a stored turn by now is the same by its content', () => {
    const a = call([{ item: 'host:3', content_hash: 'h' }]);
    const b = call([{ item: 'turn:7', content_hash: 'h' }]);
    const [entry] = diffCalls(a, b).entries;
    expect(entry).toMatchObject({ item: 'turn:7', status: 'same', before: { item: 'host:3' }, tokens_delta: 0 });
  });

  it('only what left the common order is moved', () => {
    expect(byItem(call(names('a', 'b', 'c', 'd')), call(names('d', 'a', 'b', 'c')))).toEqual({
      d: 'moved stays',
      a: 'same stays',
      b: 'same stays',
      c: 'same stays',
    });
  });

  it('a turn that one call has only in a range of older ones is no new turn', () => {
    const range: Given = { item: 'turns:1-50', sequence: 1, end_sequence: 50, count: 50, dropped: true };
    const turn: Given = { item: 'turn:50', sequence: 50 };
    const rest: Given = { ...range, item: 'turns:1-49', end_sequence: 49, count: 49 };
    const entries = diffCalls(call([range]), call([turn, rest])).entries;
    expect(entries.find(({ item }) => item === 'turn:50')).toMatchObject({
      ...{ status: 'changed', window: 'entered', tokens_delta: 10 },
      before: { item: 'turns:1-50', within: 50, action: 'dropped' },
    });
  });

  it('tells where a provider’s cache ends, and the tokens on either side', () => {
    const { prefix } = diffCalls(call(names('a', 'b', 'c', 'd')), call(names('a', 'b', 'x', 'd')));
    expect(prefix).toEqual({
      ...{ messages: 2, tokens: 20, tokens_behind_before: 20, tokens_behind_after: 20 },
      ...{ identical: false, at: 'message', item_before: 'c', item_after: 'x' },
    });
    const other = call(names('a'), { system_prompt_addition: 'other' });
    expect(diffCalls(call(names('a')), other).prefix).toMatchObject({ messages: 0, tokens: 0, at: 'system' });
    expect(diffCalls(call(names('a')), call(names('a', 'b'))).prefix).toMatchObject({
      ...{ at: 'end', item_after: 'b', tokens: 10 },
    });
  });

  it('signs the tokens of each kind, and names what the calls were made with', () => {
    const a = call([{ item: 'a' }, { item: 's', kind: 'summary' }]);
    const b = call([{ item: 'a', after: 4 }], { token_budget: 50, model: 'm' });
    const diff = diffCalls(a, b);
    expect(diff.kinds).toEqual([
      { kind: 'raw_turn', before: 10, after: 4, delta: -6 },
      { kind: 'summary', before: 10, after: 0, delta: -10 },
    ]);
    expect(diff.inputs).toEqual([
      { field: 'token_budget', before: 100, after: 50 },
      { field: 'model', before: null, after: 'm' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { checkpointFigures } from './checkpoint-figures.ts';
import { countDecisions, decisionRows, matchesDecision } from './decision-rows.ts';
import { messageText } from './message-text.ts';
import { scaleUsed } from './scale-used.ts';
import { sentEntries } from './sent-entries.ts';
import { sampleDecision, sampleItem, sampleTrace } from './testing/samples.ts';
import { turnEntries } from './turn-entries.ts';
import { usedByKind } from './used-by-kind.ts';
import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';

const trace = sampleTrace({
  items: [
    sampleItem(),
    sampleItem({ item: 'tool', kind: 'tool_result', role: 'tool', sequence: 16, preview: 'exit 1' }),
    sampleItem({ item: 'old', sequence: 1, end_sequence: 15, count: 15, preview: 'hello' }),
  ],
  decisions: [
    sampleDecision(),
    sampleDecision({ seq: 1, item: 'tool', tokens_after: 60 }),
    sampleDecision({ seq: 2, item: 'old', action: 'dropped', reason: 'covered_by_checkpoint', tokens_after: 0 }),
    sampleDecision({ seq: 3, item: 'nowhere', action: 'dropped', reason: 'blank_content', tokens_after: 0 }),
  ],
});

describe('rows of decisions', () => {
  const rows = decisionRows(trace);

  it('keep their order and show a decision whose item the trace does not list', () => {
    expect(rows.map((row) => row.label)).toEqual(['turn 17', 'turn 16', 'turns 1–15 (15)', 'nowhere']);
  });

  it('are found by every word of what they show', () => {
    const found = (filter: string) => rows.filter((row) => matchesDecision(row, filter)).map((row) => row.decision.seq);
    expect(found('')).toEqual([0, 1, 2, 3]);
    expect(found('EXIT')).toEqual([1]);
    expect(found('tool results')).toEqual([1]);
    expect(found('checkpoint hello')).toEqual([2]);
    expect(found('dropped')).toEqual([2, 3]);
    expect(found('no such thing')).toEqual([]);
  });

  it('count a run of turns with all of its turns', () => {
    const counts = countDecisions(rows);
    expect(counts.actions.get('dropped')).toBe(16);
    expect(counts.kinds.get('raw_turn')).toBe(16);
  });

  it('are counted as the list of calls counts them, where a run is one decision', () => {
    expect(countDecisions(rows).decisions.get('dropped')).toBe(2);
  });

  it('show scores beside their threshold', () => {
    const scored = sampleTrace({ decisions: [sampleDecision({ scores: { bm25: 0.3, final: 0.42 }, threshold: 0.5 })] });
    expect(decisionRows(scored)[0]?.scores).toBe('bm25 0.30, final 0.42 / 0.50');
  });

  it('show of a score of many parts what they add up to', () => {
    const scores = { score: 0.76, lexical: 0.6, vector: 0.1, hotness: 0.06 };
    const scored = sampleTrace({ decisions: [sampleDecision({ scores, threshold: 0.35 })] });
    expect(decisionRows(scored)[0]?.scores).toBe('0.76 / 0.35');
  });
});

describe('tokens by kind', () => {
  it('are what the decisions took', () => {
    expect(usedByKind(trace)).toEqual({ raw_turn: 40, tool_result: 60 });
  });

  it('are put into the measure of the estimate', () => {
    expect(scaleUsed({ raw_turn: 40, tool_result: 60, free: 900 }, 122)).toEqual({
      raw_turn: 49,
      tool_result: 73,
      free: 900,
    });
    expect(scaleUsed({}, 122)).toEqual({});
  });
});

describe('messages that were sent', () => {
  it('say whose they are, and which bodies are gone', () => {
    const sent = sampleTrace({
      output: [
        { inline: 'hash', item: 'summaries' },
        { host: 4, item: 'turn:17' },
      ],
    });
    const summary = { role: 'compactionSummary', summary: 'Earlier …' };
    const entries = sentEntries(sent, {
      messages: [{ item: 'summaries', content_hash: 'hash', message: summary }],
      missing: ['turn:17'],
    });
    expect(entries[0]).toMatchObject({ kind: 'summary', role: 'compactionSummary', origin: 'ours', tokens: undefined });
    expect(entries[0]?.body?.message).toBe(summary);
    expect(entries[1]).toMatchObject({ role: 'user', origin: 'host 4 · turn 17', tokens: 40, body: undefined });
  });
});

describe('the text of a message', () => {
  it.each([
    ['plain', { role: 'user', content: 'hi' }, 'hi'],
    [
      'parts',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    ['thinking', { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }, '[thinking] hm'],
    [
      'a tool call of OpenClaw',
      { role: 'assistant', content: [{ type: 'toolCall', name: 'exec', arguments: { a: 1 } }] },
      '[tool call] exec {\n  "a": 1\n}',
    ],
    [
      'a tool call of chat completions',
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'exec', arguments: '{"a":1}' } }] },
      '[tool call] exec {"a":1}',
    ],
    [
      'an image',
      { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
      '[image image/png, 4 characters of base64]',
    ],
    ['a summary of the host', { role: 'compactionSummary', summary: 'Earlier' }, 'Earlier'],
    ['a command of the user', { role: 'bashExecution', command: 'ls', output: 'a' }, '$ ls\na'],
    ['no content', { role: 'x', odd: 1 }, '{\n  "role": "x",\n  "odd": 1\n}'],
    ['a string', 'as it is', 'as it is'],
    ['markup', { role: 'user', content: '<b>&amp;' }, '<b>&amp;'],
  ])('of %s', (_name, message, expected) => {
    expect(messageText(message)).toBe(expected);
  });
});

describe('the list of turns', () => {
  const record = (id: string, epoch: number) => ({ epoch, turn: { turn_id: id } }) as unknown as TurnRecord;

  it('has a line where the session was reset, in both orders', () => {
    const records = [record('a', 0), record('b', 1), record('c', 1), record('d', 2)];
    expect(turnEntries(records).map((entry) => entry.key)).toEqual(['a', 'reset 1', 'b', 'c', 'reset 2', 'd']);
    expect(turnEntries(records.toReversed()).map((entry) => entry.key)).toEqual([
      'd',
      'reset 2',
      'c',
      'b',
      'reset 1',
      'a',
    ]);
  });
});

describe('a compaction', () => {
  const range = { start_sequence: 1, end_sequence: 40 };

  it('is measured by what it freed', () => {
    const figures = checkpointFigures({
      tokens_before: 1_000,
      tokens_after: 400,
      source_turn_range: range,
      identifiers_lost: ['a'],
    });
    expect(figures).toEqual({ saved: 600, ratio: 0.4, grew: false, turns: 40, lost: 1 });
  });

  it('that freed nothing counts as one that grew', () => {
    const same = { tokens_before: 400, tokens_after: 400, source_turn_range: range, identifiers_lost: [] };
    expect(checkpointFigures(same).grew).toBe(true);
    expect(checkpointFigures({ ...same, tokens_before: 0, tokens_after: 0 }).ratio).toBeUndefined();
  });
});

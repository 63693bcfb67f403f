import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointsOver, checkpointIdOf } from './checkpoint-over.ts';
import { compactionOutcome, compactionStateSentences, reasonWords } from './compaction-words.ts';
import { fallbackSentence, sourceWords, splitReason } from './checkpoint-words.ts';
import { diffLines } from './diff-lines.ts';
import { countFates, identifierChange, identifierRows, matchesIdentifier } from './identifier-rows.ts';
import { overviewSections } from './overview-sections.ts';
import { standingChangeWords } from './standing-change-words.ts';
import { sampleCheckpoint } from './testing/samples.ts';

describe('the sections of a summary', () => {
  it('are cut at their titles, with bullets taken off and plain lines kept', () => {
    const text =
      'Before.\n\n## Decisions\n- One: two\n* Three\n\n## Exact identifiers\nsrc/a.ts\n# 1 is no title? It is';
    expect(overviewSections(text)).toEqual([
      { title: undefined, lines: [{ text: 'Before.', bullet: false }] },
      {
        title: 'Decisions',
        lines: [
          { text: 'One: two', bullet: true },
          { text: 'Three', bullet: true },
        ],
      },
      { title: 'Exact identifiers', lines: [{ text: 'src/a.ts', bullet: false }] },
      { title: '1 is no title? It is', lines: [] },
    ]);
  });

  it('lose no line that says something', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const sections = overviewSections(text);
        const shown = sections.reduce((sum, { title, lines }) => sum + lines.length + (title === undefined ? 0 : 1), 0);
        expect(shown).toBe(text.split('\n').filter((line) => line.trim() !== '').length);
      }),
    );
  });
});

describe('identifiers', () => {
  const checkpoint = {
    overview: 'a b',
    identifiers_kept: ['a', 'b', 'b'],
    identifiers_repaired: ['b'],
    identifiers_lost: ['C/d'],
  };

  it('stand once each, what was lost first, and are counted by fate', () => {
    const rows = identifierRows(checkpoint);
    expect(rows.map(({ name, fate }) => `${fate} ${name}`)).toEqual(['lost C/d', 'repaired b', 'kept a']);
    expect(countFates(rows)).toEqual({ lost: 1, repaired: 1, kept: 1 });
  });

  it('are found by each word of a filter, whatever the case', () => {
    const row = { name: 'src/Import/retry.ts', fate: 'kept' } as const;
    expect(matchesIdentifier(row, 'IMPORT retry')).toBe(true);
    expect(matchesIdentifier(row, 'import other')).toBe(false);
  });

  it('are gained and lost by what the text has, not by what a policy lists', () => {
    const after = { ...checkpoint, overview: 'a and x', identifiers_kept: ['x'], identifiers_repaired: [] };
    expect(identifierChange(checkpoint, after)).toEqual({ gained: ['x'], lost: ['b'] });
  });
});

describe('two texts line by line', () => {
  it('show what stayed, what went and what came', () => {
    expect(diffLines('a\nb\nc\nd', 'a\nc\nx\nd').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same a',
      'removed b',
      'same c',
      'added x',
      'same d',
    ]);
  });

  it('can be put together again on both sides', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (other: string) =>
          lines
            .filter(({ kind }) => kind !== other)
            .map((line) => line.text)
            .join('\n');
        expect([side('added'), side('removed')]).toEqual([before, after]);
      }),
    );
  });

  it('of thousands of different lines are told apart without comparing each with each', () => {
    const lines = (name: string) => Array.from({ length: 3_000 }, (_, index) => `${name}${index}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(6_000);
  });
});

describe('what would come of a change', () => {
  const change = {
    changed: false,
    tokens_before: 4_000,
    tokens_after: 9_000,
    token_budget: 8_000,
    raw_turns: 1,
    standing_again: [],
    standing_no_longer: ['ckpt_1'],
  };

  it('is said with the turns that are raw again, the growth, and what is over the budget', () => {
    const { lines, warning } = standingChangeWords(change);
    expect(lines).toEqual(['1 turn is sent word for word again.', 'The whole context grows by 5,000 tokens.']);
    expect(warning).toMatch(
      /^The whole context would be 1,000 tokens over the 8,000 that a call may take: calls would leave/,
    );
  });

  it('is no warning while it fits, or where no budget is known', () => {
    expect(standingChangeWords({ ...change, tokens_after: 8_000 }).warning).toBeUndefined();
    expect(standingChangeWords({ ...change, token_budget: 0 }).warning).toBeUndefined();
  });
});

describe('compaction in words', () => {
  const reply = { ok: true, compacted: true, tokens_before: 9_000, tokens_after: 4_000, checkpoint_ids: ['a', 'b'] };

  it('says what was made, why nothing was, and what failed', () => {
    expect(compactionOutcome(reply).sentence).toBe('2 checkpoints made, ≈ 9,000 → 4,000 tokens (−5,000).');
    expect(compactionOutcome({ ...reply, compacted: false, reason: 'nothing_to_compact' })).toEqual({
      tone: 'quiet',
      sentence: 'Nothing was compacted: no turns are old enough, the newest ones always stay word for word.',
    });
    const failed = compactionOutcome({ ...reply, ok: false, compacted: false, reason: 'disk_full: 0 bytes are free.' });
    expect(failed.tone).toBe('warn');
    expect(failed.sentence).toContain('the disk is full (0 bytes are free)');
    expect(failed.sentence).toContain('All turns and the checkpoints so far stand');
  });

  it('says when a compaction stopped half-way', () => {
    const { tone, sentence } = compactionOutcome({ ...reply, reason: 'aborted: the host gave up' });
    expect([tone, sentence.endsWith('Then it stopped: it was stopped (the host gave up).')]).toEqual(['warn', true]);
  });

  it('shows a reason that is not known as it came', () => {
    expect(reasonWords('odd_thing: no idea.')).toBe('odd thing: no idea');
    expect(splitReason('No code at all')).toEqual({ code: '', rest: 'No code at all' });
  });

  it('tells the last attempt in the background and when the next one may be', () => {
    const now = Date.parse('2026-11-03T10:00:00Z');
    const compaction = {
      last_trigger: 'tokens_added',
      last_reason: 'summary_not_smaller',
      last_attempt_at: '2026-11-03T09:58:00Z',
      next_attempt_at: '2026-11-03T10:04:00Z',
    };
    expect(compactionStateSentences({ compaction, state: 'idle' }, now)).toEqual([
      'Last background compaction 2 min ago, trigger tokens_added: no result: a summary would be no smaller than the turns it stands for.',
      'Not tried again for another 4 min.',
    ]);
    expect(compactionStateSentences({ compaction: undefined, state: 'idle' }, now)).toEqual([
      'No background compaction since the daemon was started.',
    ]);
  });

  it('says why another summariser wrote it', () => {
    expect(fallbackSentence({ from: 'host', reason: 'no_host: no host was there' })).toBe(
      'Not written by “host”, as configured: nobody was there to ask the host’s model',
    );
    expect(fallbackSentence({ from: 'openai-compatible', reason: 'model_timeout: no answer within 60 s.' })).toBe(
      'Not written by “openai-compatible”, as configured: the model took too long (no answer within 60 s)',
    );
    expect(fallbackSentence({ from: 'host', reason: 'It repeats the prompt.' })).toBe(
      'Not written by “host”, as configured: It repeats the prompt',
    );
  });
});

describe('checkpoints over a range of turns', () => {
  const at = '2026-11-03T10:00:00.000Z';
  const over = (start: number, end: number, more: Parameters<typeof sampleCheckpoint>[0] = {}) =>
    sampleCheckpoint({
      checkpoint_id: `c${start}`,
      source_turn_range: { start_sequence: start, end_sequence: end },
      committed_at: '2026-11-03T09:00:00.000Z',
      ...more,
    });

  it('are those that stood when the call was made, oldest turns first', () => {
    const all = [
      over(11, 20),
      over(1, 10),
      over(21, 30),
      over(5, 8, { committed_at: '2026-11-03T11:00:00.000Z' }),
      over(6, 9, { state: 'folded', ended_at: '2026-11-03T09:30:00.000Z' }),
      over(2, 3, { state: 'folded', ended_at: '2026-11-03T10:30:00.000Z' }),
    ];
    expect(checkpointsOver(all, { from: 1, to: 20 }, at).map((one) => one.checkpoint_id)).toEqual(['c1', 'c2', 'c11']);
  });

  it('are named by the URI of a summary', () => {
    expect(checkpointIdOf('strata://session/u/s/checkpoint/ck%201')).toBe('ck 1');
    expect(checkpointIdOf('strata://session/u/s/turn/4')).toBeUndefined();
    expect(checkpointIdOf(undefined)).toBeUndefined();
  });

  it('say what they were made of', () => {
    expect(sourceWords(over(1, 1))).toBe('1 turn');
    expect(sourceWords(over(1, 400, { parent_checkpoint_ids: ['a', 'b'] }))).toBe('2 checkpoints');
  });
});

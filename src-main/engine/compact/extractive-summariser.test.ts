import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import { classifySentence } from './classify-sentence.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import { planByTarget } from './plan-by-target.ts';
import { splitSentences } from './split-sentences.ts';
import type { SourceTurn, SummaryRequest } from './summariser.ts';

const counter = new TokenCounter(createInlineTokenizer());

const turn = (text: string, sequence = 1, role: SourceTurn['role'] = 'user'): SourceTurn => ({
  sequence,
  role,
  text,
  tool: role === 'tool' ? 'read' : undefined,
});

function summarise(turns: readonly SourceTurn[], given: Partial<SummaryRequest> = {}) {
  const request = { turns, policy: 'strict' as const, focus: '', abstractTokens: 100, overviewTokens: 500, ...given };
  return createExtractiveSummariser(counter).summarise(request);
}

describe('splitSentences', () => {
  it('ends sentences at their marks, in both scripts, and at line breaks', () => {
    expect(splitSentences('One. Two! Three?\nFour 3.5 stays。第一。第二！')).toEqual([
      'One.', 'Two!', 'Three?', 'Four 3.5 stays。', '第一。', '第二！',
    ]); // prettier-ignore
  });

  it('takes a code block for its first line, and leaves out lines of signs', () => {
    expect(splitSentences('Look:\n```ts\nconst a = 1;\nconst b = 2;\n```\n---\nDone.')).toEqual([
      'Look:',
      'const a = 1;',
      'Done.',
    ]);
  });

  it('takes a block that is never closed as text', () => {
    expect(splitSentences('```\nhalf')).toEqual(['half']);
  });
});

describe('classifySentence', () => {
  it.each([
    ['We decided to use SQLite.', 'user', 'decisions'],
    ['最后决定用 SQLite。', 'assistant', 'decisions'],
    ['Never push to main.', 'user', 'rules'],
    ['以后都用中文回答。', 'user', 'rules'],
    ['I always prefer lemons.', 'assistant', 'facts'],
    ['Next step: add the index.', 'assistant', 'tasks'],
    ['Can you add the index?', 'user', 'requests'],
    ['Can you add the index?', 'assistant', 'facts'],
    ['We decided to use SQLite.', 'tool', 'facts'],
    ['The index has 3 columns.', 'user', 'facts'],
  ] as const)('%s (%s): %s', (sentence, role, section) => {
    expect(classifySentence(sentence, role)).toBe(section);
  });
});

describe('a summary', () => {
  it('S62: is never empty, and near the size that was asked for', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('', '   ', '---', '数据库慢了。怎么办？', 'We decided X. Never do Y.'),
    );
    const role = fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const, 'system' as const);
    const turns = fc
      .array(fc.tuple(text, role), { minLength: 1, maxLength: 30 })
      .map((list) => list.map(([said, by], index) => turn(said, index + 1, by)));
    await fc.assert(
      fc.asyncProperty(turns, fc.constantFrom(20, 100, 500), async (given, overviewTokens) => {
        const summary = await summarise(given, { overviewTokens, abstractTokens: 100 });
        expect(summary.overview.trim()).not.toBe('');
        expect(summary.abstract.trim()).not.toBe('');
        const tokens = await counter.text(summary.overview);
        // Headings, the list of identifiers and a little for where pieces meet.
        expect(tokens).toBeLessThanOrEqual(overviewTokens * 1.6 + 80);
        expect(summary.identifiersKept.filter((identifier) => !summary.overview.includes(identifier))).toEqual([]);
      }),
      { numRuns: 100, seed: 7, endOnFailure: true },
    );
  });

  it('says of turns without words what they were', async () => {
    const { overview, abstract } = await summarise(
      [turn('42', 1, 'tool'), turn('---', 2, 'tool')].map((one) => ({ ...one, text: '---' })),
    );
    expect(abstract).toBe('2 turns without text to quote; tools used: read.');
    expect(overview).toBe(`## What happened\n- ${abstract}`);
  });

  it('says one thing once, as long as there is something else to say', async () => {
    const same = Array.from({ length: 40 }, (_, index) =>
      turn(`We decided to deploy the service version ${index} today.`, index + 1),
    );
    const { overview } = await summarise([...same, turn('The shed must be painted green.', 41)], {
      overviewTokens: 60,
    });
    expect(overview).toContain('painted green');
  });

  it('its abstract has one of many sentences that differ in numbers only, and the facts', async () => {
    const talk = Array.from({ length: 60 }, (_, index) =>
      turn(`Thanks, please note order number ${index} for the weekly report of the office.`, index + 1),
    );
    const { abstract } = await summarise([
      ...talk,
      turn('The printer in Lisbon is reached at lp.internal:9100.', 61, 'assistant'),
      turn('We decided to ship everything by rail.', 62),
    ]);
    expect(abstract.match(/weekly report/g) ?? []).toHaveLength(1);
    expect(abstract).toContain('lp.internal:9100');
    expect(abstract).toContain('by rail.');
    expect(abstract).not.toMatch(/\[(?:done|asked|withdrawn)\]/);
  });

  it('control characters and marks of direction do not get into it', async () => {
    const { overview, abstract } = await summarise([
      turn('We decided to keep \u001b[31msrc/\u202ea.ts\u0007 for now.'),
    ]);
    expect(overview).toContain('We decided to keep src/a.ts for now.');
    expect(abstract).toBe('We decided to keep src/a.ts for now.');
  });

  it('shortens what is longer than a sentence', async () => {
    const { overview } = await summarise([turn(`start ${'word '.repeat(400)}`)]);
    expect(overview).toMatch(/…$/);
    expect(overview.length).toBeLessThan(400);
  });
});

describe('planByTarget', () => {
  const turns = (...tokens: number[]) =>
    tokens.map((count, index) => ({ sequence: index + 1, tokens: count, mayStart: index % 2 === 0 }));
  const plan = (given: Partial<Parameters<typeof planByTarget>[0]>) =>
    planByTarget({
      targetTokens: 50,
      limitTokens: 90,
      recentRawTurnCount: 2,
      turns: turns(10, 10, 10, 10, 10, 10),
      force: false,
      ...given,
    });

  it.each([
    ['nothing to do within the target', { targetTokens: 60 }, undefined],
    ['the least that reaches the target', { targetTokens: 45 }, 2],
    ['more where the target is smaller', { targetTokens: 25 }, 4],
    ['forced within the target: all but the newest', { targetTokens: 60, force: true }, 4],
    [
      'forced with no more than the newest: all before the last cut',
      { targetTokens: 60, force: true, recentRawTurnCount: 8 },
      4,
    ],
    ['the newest before the target, while they fit the limit', { targetTokens: 15, recentRawTurnCount: 4 }, 2],
    [
      'the target before the newest, where those exceed the limit',
      { targetTokens: 25, limitTokens: 30, recentRawTurnCount: 4 },
      4,
    ],
    ['the last cut, where nothing reaches the target', { targetTokens: 5, limitTokens: 5 }, 4],
    ['nothing without a place to cut', { targetTokens: 5, turns: turns(100) }, undefined],
    ['nothing of nothing', { turns: [], force: true }, undefined],
  ])('%s', (_, given, end) => {
    expect(plan(given)).toBe(end);
  });
});

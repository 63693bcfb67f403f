import { describe, expect, it } from 'vitest';
import { contentWords } from './content-words.ts';
import { containsWhole } from './contains-whole.ts';
import { findErrors } from './find-errors.ts';
import { mainScript } from './main-script.ts';
import { withoutControls } from './plain-text.ts';
import { readFocus } from './read-focus.ts';
import { readSummary } from './read-summary.ts';
import { runningSubagents } from './running-subagents.ts';
import { exactWords } from './score-sentences.ts';
import { splitSentences } from './split-sentences.ts';
import { stripReasoning } from './strip-reasoning.ts';
import { noLines, renderSections } from './summary-sections.ts';
import { paragraphOf } from './tidy-lines.ts';
import { uncoveredTurns } from './uncovered-turns.ts';

describe('readSummary', () => {
  it('reads back what was rendered', () => {
    const lines = {
      decisions: ['One.', 'Two.'],
      tasks: ['Three.'],
      rules: [],
      requests: ['Four?'],
      identifiers: ['src/a.ts:1', 'Error: not found'],
      subagents: ['agent:a: running'],
      facts: ['[done] Five.'],
    };
    expect(readSummary(renderSections(lines)).lines).toEqual(lines);
  });

  it('takes what is marked as empty for empty, in several languages', () => {
    const text =
      '## Decisions\n- none\n- None.\n- N/A\n- 无\n- なし\n- no open tasks\n---\n## What happened\n- None of the tests failed.';
    expect(readSummary(text).lines).toEqual({ ...noLines, facts: ['None of the tests failed.'] });
  });

  it('tells sections that nobody asked for under what happened, and knows other words for ours', () => {
    const { lines, sections } = readSummary(
      '## Open TODOs\n- One.\n## Weather\n- Two.\n## Constraints/Rules\n- Three.',
    );
    expect(lines).toMatchObject({ tasks: ['One.'], facts: ['Two.'], rules: ['Three.'] });
    expect(sections).toBe(2);
  });

  it('reads the abstract as one paragraph', () => {
    expect(readSummary('## Abstract\nOne.\nTwo.\n\n## Decisions\n- Three.').abstract).toBe('One. Two.');
  });
});

describe('S58: stripReasoning', () => {
  it.each([
    ['<think>a</think>b', 'b'],
    ['<thinking reason="x">a</thinking>b<think>c</think>d', 'bd'],
    ['b<think>never closed', 'b'],
    ['opened elsewhere</think>b', 'b'],
    ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b', 'b'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<thinker>stays</thinker>', '<thinker>stays</thinker>'],
  ])('%j', (given, wanted) => {
    expect(stripReasoning(given)).toBe(wanted);
  });

  it.each([
    ['<think>a<reasoning>b</reasoning>c', ''],
    ['a<think>b</think>c</think>d', 'd'],
    ['<THINK>a</think >b', 'b'],
  ])('tags within tags, and one too many: %j', (given, wanted) => {
    expect(stripReasoning(given)).toBe(wanted);
  });

  it.each([
    '<think>',
    '</think>',
    '<think></reasoning>',
    '<thinking><think>',
    '<think ',
    '<|channel|>analysis',
    '</think ',
  ])('takes linear time for a run of %j: the test would not end in time otherwise', (piece) => {
    expect(stripReasoning(`${piece.repeat(40_000)}end`).length).toBeLessThan(400_000);
  });
});

describe('texts that make simple patterns slow', () => {
  it.each([
    ['splitSentences', splitSentences, `\`\`\`${'a'.repeat(200_000)}`],
    ['readSummary', readSummary, `abc${' '.repeat(200_000)}x`],
    ['scriptShares', mainScript, 'a'.repeat(200_000)],
    ['exactWords', exactWords, 'a'.repeat(200_000)],
    ['readFocus', readFocus, `${'/.'.repeat(60_000)}x`],
    ['contentWords', contentWords, '1a.'.repeat(70_000)],
    ['findErrors', findErrors, '"error '.repeat(30_000)],
    ['withoutControls', withoutControls, '\u001b['.repeat(100_000)],
    ['withoutControls', withoutControls, '\u001b]a'.repeat(70_000)],
  ] as const)('%s takes linear time: the test would not end in time otherwise', (_, read, text) => {
    expect(read(text)).not.toBe(text);
  });
});

describe('withoutControls', () => {
  it.each([
    ['a\u001b[31;1mred\u001b[0m b\u0007', 'ared b'],
    ['\u001b]0;title\u0007text', 'text'],
    ['left\u202eright\u202c \u2066x\u2069', 'leftright x'],
    ['a\tb\nc 👩‍👩‍👧 é', 'a\tb\nc 👩‍👩‍👧 é'],
  ])('%j', (given, wanted) => {
    expect(withoutControls(given)).toBe(wanted);
  });
});

describe('paragraphOf', () => {
  it('ends each line, says each thing once, and puts marks in words', () => {
    const lines = [
      'Load test of the printer',
      '[done] The user listed orders',
      '[done] The user listed orders.',
      '决定用表',
    ];
    expect(paragraphOf(lines)).toBe('Load test of the printer. Done: The user listed orders. 决定用表。');
    expect(paragraphOf(['One. [done] Two. [withdrawn] Three'])).toBe('One. Done: Two. Withdrawn: Three.');
  });
});

describe('H38: containsWhole', () => {
  it.each([
    ['see #123', '#12', false],
    ['see #123', '#123', true],
    ['src/a.tsx', 'src/a.ts', false],
    ['src/a.ts:42', 'src/a.ts', true],
    ['端口8080是', '8080', true],
    ['a #123 and #12', '#12', true],
    ['v1.2.34', 'v1.2.3', false],
    ['runIt()', 'runIt()', true],
  ])('%j has %j: %s', (text, wanted, is) => {
    expect(containsWhole(text, wanted)).toBe(is);
  });
});

describe('mainScript', () => {
  it.each([
    ['We talked about the daemon and its database for an hour.', 'latin'],
    ['我们讨论了守护进程和数据库，一共花了一个小时的时间。', 'han'],
    ['修复 login 页面的 bug，然后部署到 staging 环境，最后通知用户测试结果', 'han'],
    ['Мы говорили о базе данных целый час и решили оставить её.', 'cyrillic'],
    ['`someCode` src/path/to/file.ts:42', undefined],
    ['ok', undefined],
  ])('%j: %s', (text, script) => {
    expect(mainScript(text)).toBe(script);
  });
});

describe('uncoveredTurns', () => {
  const turn = (sequence: number, text: string) => ({ sequence, text, role: 'user' as const, tool: undefined });

  it.each([
    ['most words of a line', 'The archive stays on PostgreSQL because backups work.', []],
    [
      'two rare words of a line',
      'Some unrelated remark names PostgreSQL and backups in passing, at length, in many other words.',
      [],
    ],
    [
      'one word of a line',
      'PostgreSQL was released decades ago by other people, as everybody around here certainly knows.',
      [7],
    ],
    ['none', 'Bananas ripen quickly.', [7]],
  ])('a turn with %s', async (_, line, uncovered) => {
    expect(
      await uncoveredTurns([turn(7, 'We keep PostgreSQL for the archive, backups already work.')], [line]),
    ).toEqual(uncovered);
  });

  it('knows Chinese, and does not miss turns that say next to nothing', async () => {
    const turns = [
      turn(1, '归档数据库继续使用关系数据库。'),
      turn(2, 'ok'),
      turn(3, '好'),
      turn(4, '压力测试还没有写。'),
    ];
    expect(await uncoveredTurns(turns, ['决定：归档数据库继续使用'])).toEqual([4]);
  });

  it('finds a turn by an identifier of its own', async () => {
    const turns = [turn(1, 'Something about deadbeef01 in between many other words that nobody repeats')];
    expect(await uncoveredTurns(turns, ['The words say that deadbeef01 broke the build'])).toEqual([]);
  });

  it('a line that is nothing but an identifier speaks of no turn', async () => {
    const turns = [turn(1, 'Order ORD-48213 goes to Lisbon by express, since the customer waits for it.')];
    expect(await uncoveredTurns(turns, ['ORD-48213'])).toEqual([1]);
  });
});

describe('H43: runningSubagents', () => {
  const request = { turns: [], policy: 'none' as const, focus: '', abstractTokens: 1, overviewTokens: 1 };

  it('takes the words of the writer where they name the key, else its state', () => {
    const subagents = [
      { sessionKey: 'agent:a', state: 'running' },
      { sessionKey: 'agent:b', state: 'Running' },
      { sessionKey: 'agent:c', state: 'killed' },
    ];
    expect(runningSubagents({ ...request, subagents }, ['agent:a counts beans', 'agent:x is invented'])).toEqual([
      'agent:a counts beans',
      'agent:b: Running',
    ]);
  });

  it('where nothing is known of them, the lines of the writer or of the newest summary stand', () => {
    const previous = [{ uri: 'u', overview: '## Running sub-agents\n- agent:a: running' }];
    expect(runningSubagents(request, ['agent:x: running'])).toEqual(['agent:x: running']);
    expect(runningSubagents({ ...request, previous }, [])).toEqual(['agent:a: running']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import { containsWhole } from './contains-whole.ts';
import { mentionedIdentifiers } from './rank-identifiers.ts';
import { readSummary } from './read-summary.ts';
import { sectionNames, sectionTitles } from './summary-sections.ts';
import { createSummaryPhases, isRejection } from './summary-phases.ts';
import { englishTalk } from './testing/conversations.ts';
import { deliveredPrompts } from './testing/read-prompt-file.ts';

const counter = new TokenCounter(createInlineTokenizer());
const phases = createSummaryPhases({
  counter,
  prompts: deliveredPrompts(),
  maxInputTokens: 16_000,
  maxOutputTokens: 2_000,
});
const request = { turns: englishTalk, policy: 'strict' as const, focus: '', abstractTokens: 60, overviewTokens: 200 };

describe('finishSummary', () => {
  it('H34: makes of any answer a summary that keeps its promises, or refuses it with a reason', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...sectionNames.map((name) => `\n## ${sectionTitles[name]}\n`),
        '\n## Abstract\n',
        '\n# Weather\n',
      ),
      fc.constantFrom('<think>', '</think>', '```', '\n- none', '\n- Paint the status page green.', '\nopenStore()'),
      fc.constantFrom(...englishTalk.map(({ text }) => `\n- ${text.slice(0, 80)}`)),
      fc.string({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const mentioned = (await mentionedIdentifiers(englishTalk, 'strict')).map(({ text }) => text).sort();
    let summaries = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const finished = await phases.finishSummary(request, { text: pieces.join('') }, 'host');
        if (isRejection(finished)) {
          expect(finished.message).not.toBe('');
          return;
        }
        summaries += 1;
        const { overview, abstract, identifiersKept, identifiersLost } = finished;
        expect(abstract.trim()).not.toBe('');
        expect(overview.split('\n').filter((line) => line.startsWith('## '))).toEqual(
          sectionNames
            .map((name) => `## ${sectionTitles[name]}`)
            .filter((heading) => overview.includes(`${heading}\n`)),
        );
        expect(overview).toMatch(/## Pending requests\n- Write a load test/);
        expect([...identifiersKept, ...identifiersLost].sort()).toEqual(mentioned);
        expect(identifiersKept.every((text) => containsWhole(overview, text))).toBe(true);
        expect(finished.summariser).toBe('host');
      }),
      { numRuns: 150, seed: 11, endOnFailure: true },
    );
    expect(summaries).toBeGreaterThan(20);
  });

  it('has no control characters, no marks of direction and no line twice, and says whole sentences in its abstract', async () => {
    const text =
      '## Decisions\n- PostgreSQL \u202estays\u001b[0m for the archive, since backups already work with it\n- postgresql stays for the archive, since backups already work with it.\n## What happened\n- Load test of the label printer\n- [done] The user listed orders. [done] The user noted them.\n- [done] The user noted them.';
    const finished = await phases.finishSummary(request, { text, model: `m\n\u001b[0m${'x'.repeat(500)}` }, 'host');
    if (isRejection(finished)) throw new Error(finished.message);
    expect(finished.overview.match(/stays for the archive/gi)).toHaveLength(1);
    expect(finished.overview).toContain('\n- [done] The user listed orders.\n- [done] The user noted them.');
    expect(finished.abstract).toBe(
      'PostgreSQL stays for the archive, since backups already work with it. Write a load test for the endpoint https://api.example.com/v1/turns?limit=50 too. Load test of the label printer.',
    );
    expect(finished.model).toBe(`m ${'x'.repeat(198)}`);
  });

  it('a turn of which only the identifiers were put back is not covered', async () => {
    const turns = [
      ...englishTalk,
      {
        sequence: 50,
        role: 'assistant' as const,
        text: 'Parcel ORD-48213 of crate KX-7741 goes to Lisbon.',
        tool: undefined,
      },
    ];
    const text =
      '## Decisions\n- PostgreSQL stays for the archive, since backups already work with it.\n## Exact identifiers\nORD-48213 KX-7741';
    const finished = await phases.finishSummary({ ...request, turns }, { text }, 'host');
    if (isRejection(finished)) throw new Error(finished.message);
    expect(readSummary(finished.overview).lines.identifiers).toEqual(expect.arrayContaining(['ORD-48213', 'KX-7741']));
    expect(finished.uncovered).toContain(50);
  });

  it('refuses an answer that says one thing again and again', async () => {
    const text = `## Decisions\n${'- PostgreSQL stays for the archive.\n'.repeat(12)}`;
    expect(await phases.finishSummary(request, { text }, 'host')).toMatchObject({
      rejected: 'repetitive',
      values: { lines: 12, different: 1 },
    });
  });

  it.each(['```\n', '``` ', '\n'])(
    'a run of %j takes linear time: the test would not end in time otherwise',
    async (piece) => {
      const text = '```' + piece.repeat(60_000) + 'x';
      expect(isRejection(await phases.finishSummary(request, { text }, 'host'))).toBe(true);
    },
  );

  it('records what the host says of its model, and what it leaves out', async () => {
    const text = '## Decisions\n- PostgreSQL stays for the archive, since backups already work with it.';
    expect(
      await phases.finishSummary(request, { text, model: 'm-1', inputTokens: 9, outputTokens: 3 }, 'host'),
    ).toMatchObject({
      summariser: 'host',
      model: 'm-1',
      promptVersion: 'compaction@1',
      attempts: 1,
      inputTokens: 9,
      outputTokens: 3,
    });
    const bare = await phases.finishSummary(request, { text }, 'host');
    expect(Object.keys(bare)).not.toEqual(expect.arrayContaining(['model']));
  });
});

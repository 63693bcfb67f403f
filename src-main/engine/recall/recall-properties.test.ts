import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openRecallFixture, testPage, testScope, testTurns } from './testing/recall-fixture.ts';

const words = [
  'boat',
  'sail',
  'harbour',
  'tea',
  'market',
  'violin',
  'report',
  'Lisbon',
  '茶叶',
  '市场',
  'yesterday',
  'I',
  'the',
];
const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '));

it('parts add up to the score, packed texts to no more than the budget, in an order that repeats, within the scope', async () => {
  const { index, recall } = await openRecallFixture();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: sentence, title: sentence, user: fc.constantFrom('lin', 'other') }), {
        maxLength: 12,
      }),
      fc.array(sentence, { maxLength: 12 }),
      sentence,
      fc.record({
        maxTokens: fc.integer({ min: 1, max: 120 }),
        itemTokens: fc.integer({ min: 1, max: 40 }),
        minScore: fc.constantFrom(0, 0.35),
      }),
      async (pages, turns, query, limits) => {
        await index.clear();
        await index.putPages(pages.map((page, at) => testPage({ path: `p/${at}`, ...page })));
        await index.putTurns(testTurns('s1', turns), undefined);
        const result = await recall(query, limits);
        let tokens = 0;
        for (const candidate of result.candidates) {
          const sum = Object.values(candidate.parts).reduce((total, part) => total + part, 0);
          expect(candidate.score).toBeCloseTo(sum, 9);
          expect(candidate.score).toBeGreaterThanOrEqual(0);
          expect(candidate.score).toBeLessThanOrEqual(1 + 1e-9);
          expect(candidate.uri).not.toContain('/other/');
          if (candidate.packed) tokens += candidate.tokens;
          if (candidate.packed) expect(candidate.tokens).toBeLessThanOrEqual(limits.itemTokens);
        }
        expect(result.tokens).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(limits.maxTokens);
        const again = await recall(query, { ...limits, scope: { ...testScope, labels: undefined } });
        expect(again.candidates).toEqual(result.candidates);
      },
    ),
    { numRuns: 40 },
  );
});

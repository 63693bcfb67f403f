import { describe, expect, it } from 'vitest';
import { recallReasonSchema } from '../../src-shared/model/recall.ts';
import { searchRequestSchema } from '../../src-shared/protocol/search.ts';
import { gateList, versionWords, whyNotUndone } from './operation-words.ts';
import { hasRecallOptions, recallFields, recallPlaceOf } from './recall-fields.ts';
import { recallRequest, searchRequest } from './recall-request.ts';
import { candidateSentence, outcomeSentence, relationWords } from './recall-words.ts';
import { searchResults } from './search-results.ts';
import { legendParts, partTone, scoreParts } from './score-parts.ts';
import { sampleCandidate, sampleOperation, sampleRecall } from './testing/memory-samples.ts';

describe('what became of a candidate', () => {
  it('compares the score with the threshold as they were', () => {
    expect(candidateSentence(sampleCandidate({ threshold: 0.35 }))).toBe('Left out: below the threshold, 0.31 < 0.35');
  });

  it('says what was needed and what was allowed when it did not fit', () => {
    expect(candidateSentence(sampleCandidate({ reason: 'over_budget', tokens: 3_900, threshold: 1_200 }))).toBe(
      'Left out: over the budget, 3,900 tokens needed, 1,200 allowed',
    );
    expect(candidateSentence(sampleCandidate({ reason: 'over_limit', threshold: 10 }))).toBe(
      'Left out: over the limit of 10 results',
    );
  });

  it.each(recallReasonSchema.options)('has words for %s', (reason) => {
    expect(candidateSentence(sampleCandidate({ reason, packed: reason === 'packed' }))).toMatch(
      /^(?:Packed|Left out): [a-z]/,
    );
  });
});

describe('how a recall ended', () => {
  it('counts what was packed against the budget', () => {
    const candidates = [sampleCandidate({ packed: true }), sampleCandidate()];
    expect(outcomeSentence(sampleRecall({ candidates, considered: 143, tokens: 372 }), 4_000)).toBe(
      '1 of 143 candidates packed, 372 of 4,000 tokens.',
    );
  });

  it('tells abstention from emptiness', () => {
    expect(outcomeSentence(sampleRecall({ considered: 3, abstained: true }), 1)).toMatch(/^Abstained: of 3 candidates/);
    expect(outcomeSentence(sampleRecall({ abstained: true }), 1)).toBe('Nothing in memory matches a word of it.');
  });

  it('does not take a pinned page for an answer', () => {
    const candidates = [sampleCandidate({ packed: true, reason: 'pinned', score: 0 })];
    expect(outcomeSentence(sampleRecall({ candidates, considered: 1, tokens: 10 }), 400)).toBe(
      'Nothing in memory matches a word of it; the pinned page is packed all the same, 10 of 400 tokens.',
    );
    expect(outcomeSentence(sampleRecall({ candidates, considered: 9, tokens: 10, abstained: true }), 400)).toMatch(
      /^Abstained: of 8 candidates none was good enough/,
    );
    // It took the only place: that is no abstention.
    expect(outcomeSentence(sampleRecall({ candidates, considered: 9, tokens: 10 }), 400)).toMatch(/^1 of 9 candidates/);
  });

  it('says a relation as it was understood', () => {
    expect(relationWords({ types: ['works_at'], anchors: ['Acme'], hops: 2 })).toBe('works at → Acme, over 2 links');
    expect(relationWords({ types: [], anchors: [], hops: 1 })).toBe('any relation → nothing that is known');
  });
});

describe('what a search found', () => {
  const scored = (score: number, over = {}) => sampleCandidate({ uri: `strata://resources/${score}`, score, ...over });

  it('is ordered by score, without what is pinned and does not match', () => {
    const { found, weaker } = searchResults([
      scored(0.01, { reason: 'pinned' }),
      scored(0.4),
      scored(0.9),
      scored(0.04),
    ]);
    expect(found.map(({ score }) => score)).toEqual([0.9, 0.4]);
    expect(weaker).toBe(2);
  });

  it('is weak where nothing is better', () => {
    const { found } = searchResults([scored(0.01, { reason: 'pinned' }), scored(0.04)]);
    expect(found.map(({ score }) => score)).toEqual([0.04]);
  });
});

describe('the parts of a score', () => {
  it('stand in one order whatever their values, with what takes away last', () => {
    const parts = scoreParts({ hotness: -0.1, alias: 0.2, zeta: 0.1, lexical: 0.3, link: 0 });
    expect(parts.map(({ name }) => name)).toEqual(['lexical', 'alias', 'zeta', 'hotness']);
  });

  it('are each once in the legend', () => {
    expect(legendParts([{ parts: { vector: 1, lexical: 1 } }, { parts: { lexical: 1, title: 0 } }])).toEqual([
      'lexical',
      'vector',
    ]);
  });

  it('have a tone also when this page does not know them', () => {
    expect(partTone('lexical')).toBe('lexical');
    expect(partTone('moon phase')).toBe('other');
  });
});

describe('the form of a recall', () => {
  const place = {
    at: 'recall',
    query: 'who works at acme',
    user: 'ann',
    sources: ['turn'],
    kinds: ['entity', 'event'],
    limit: 5,
    tokens: 400,
    min: 0.25,
    inactive: true,
  } as const;

  it('gives back the address that it was filled from', () => {
    expect(recallPlaceOf(recallFields(place))).toEqual(place);
    expect(recallPlaceOf(recallFields({ at: 'recall' }))).toEqual({ at: 'recall' });
  });

  it('takes what means nothing for not said', () => {
    const fields = { ...recallFields({ at: 'recall', query: 'x' }), limit: 'many', min: '7', tokens: '-3' };
    expect(recallPlaceOf(fields)).toEqual({ at: 'recall', query: 'x' });
  });

  it('makes a request that the engine takes', () => {
    expect(searchRequestSchema.parse(recallRequest(place))).toMatchObject({
      query: 'who works at acme',
      user_id: 'ann',
      sources: ['turn'],
      limit: 5,
      max_tokens: 400,
      min_score: 0.25,
      include_inactive: true,
    });
    expect(
      searchRequestSchema.safeParse(recallRequest({ at: 'recall', query: 'x', limit: 999, tokens: 1 })).success,
    ).toBe(true);
    expect(searchRequestSchema.safeParse(searchRequest('x')).success).toBe(true);
  });

  it('asks nothing without a question', () => {
    expect(recallRequest({ at: 'recall', query: '  ' })).toBeUndefined();
    expect(hasRecallOptions({ at: 'recall', query: 'x' })).toBe(false);
    expect(hasRecallOptions(place)).toBe(true);
  });
});

describe('an operation of memory', () => {
  it('says why it cannot be undone', () => {
    expect(whyNotUndone(sampleOperation())).toBeUndefined();
    expect(whyNotUndone(sampleOperation({ action: 'REFUSED' }))).toMatch(/nothing to undo/);
    expect(whyNotUndone(sampleOperation({ undone_at: '2026-11-03T10:00:00Z' }))).toMatch(/already/);
  });

  it('names the versions that it made', () => {
    expect(versionWords(sampleOperation({ version_before: 3, version_after: 4 }))).toBe('version 3 → 4');
    expect(versionWords(sampleOperation({ version_after: 1 }))).toBe('version 1');
    expect(versionWords(sampleOperation())).toBe('');
  });

  it('has its gates in their order', () => {
    const gates = { durable: false, new: true, useful: false };
    expect(gateList(sampleOperation({ gates })).map(({ name, passed }) => `${name} ${passed}`)).toEqual([
      'durable false',
      'new true',
      'useful false',
    ]);
  });
});

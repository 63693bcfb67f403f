import { describe, expect, it } from 'vitest';
import { choosePassage } from './choose-passage.ts';
import { findIntent } from './find-intent.ts';
import { nameCandidates } from './name-candidates.ts';
import { readQuestion } from './read-question.ts';
import { timeSpanOf } from './time-span.ts';
import { formsOf, stemOf } from './word-forms.ts';

const now = Date.UTC(2026, 5, 3, 15);
const span = (query: string): string | undefined => {
  const found = timeSpanOf(query, now);
  return found && `${new Date(found.from).toISOString().slice(0, 10)}/${new Date(found.to).toISOString().slice(0, 10)}`;
};

describe('The time that a question asks about', () => {
  it.each([
    ['what happened yesterday?', '2026-06-02/2026-06-03'],
    ['what did we decide last week', '2026-05-25/2026-06-01'],
    ['上周我们决定了什么', '2026-05-25/2026-06-01'],
    ['plans in May', '2026-05-01/2026-06-01'],
    ['what did she do in December', '2025-12-01/2026-01-01'],
    ['on 7 May, 2023', '2023-05-07/2023-05-08'],
    ['May 7th, 2023', '2023-05-07/2023-05-08'],
    ['2023年5月7日', '2023-05-07/2023-05-08'],
    ['last month’s numbers', '2026-05-01/2026-06-01'],
    ['去年的计划', '2025-01-01/2026-01-01'],
    ['in 2024', '2024-01-01/2025-01-01'],
    ['the 2024-02 report', '2024-02-01/2024-03-01'],
    ['may I ask something?', undefined],
    ['nothing about time', undefined],
  ])('%s', (query, expected) => {
    expect(span(query)).toBe(expected);
  });
});

describe('Intent by rules', () => {
  it.each([
    ['what does Lin prefer for breakfast', 'preference'],
    ['我喜欢什么茶', 'preference'],
    ['how do I deploy the shop', 'procedure'],
    ['怎么部署', 'procedure'],
    ['where is the spec for the parser', 'document'],
    ['what did we decide about the logo', 'event'],
    ['who is Nadira', 'entity'],
    ['boats', 'general'],
  ])('%s is %s', (query, intent) => {
    expect(findIntent(query)).toBe(intent);
  });
});

it('words of earlier turns count less, the older the less, and never twice', () => {
  const { words } = readQuestion('boat sails', ['harbour market', 'boat harbour'], now);
  expect(words.map(({ stem, weight }) => [stem, weight])).toEqual([
    ['boat', 1],
    ['sail', 1],
    [stemOf('harbour'), 0.25],
    ['market', 0.125],
  ]);
});

it('forms that English bends in its own way are the same word', () => {
  expect(formsOf('buy')).toContain('bought');
  expect(stemOf('went')).toBe(stemOf('going'));
  expect(stemOf('children')).toBe(stemOf('child'));
});

it('names keep the marks that belong to them', () => {
  const texts = nameCandidates('Should we self-host on Fly.io, or use C++?').map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['self-host', 'Fly.io', 'C++']));
});

it('a passage is read in linear time, whatever the text: 2 MB without an end', () => {
  const worth = { stems: [{ stem: 'boat', worth: 1 }], total: 1 };
  const text = `${'a'.repeat(1_000_000)} boat ${'b'.repeat(1_000_000)}`;
  expect(choosePassage(text, worth, 200).length).toBeLessThanOrEqual(204);
});

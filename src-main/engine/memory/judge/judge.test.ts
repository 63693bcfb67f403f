import { expect, it } from 'vitest';
import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import { extractByRules } from '../extract/rules/extract-by-rules.ts';
import { judge } from './judge.ts';

function page(truth: string, more: Partial<MemoryPage> = {}): MemoryPage {
  return {
    ...{
      uri: 'strata://user/u/memories/preferences/x',
      path: 'x.md',
      kind: 'preference',
      title: 'X',
      aliases: [],
      tags: [],
      scope: [],
    },
    ...{
      visibility: 'private',
      status: 'active',
      pinned: false,
      version: 1,
      content_hash: 'h',
      created_at: '',
      updated_at: '',
    },
    ...{ abstract: '', sources: [], size: 1, overview: '', timeline: [], links: [], content: '', truth },
    ...more,
  };
}

/** What is judged of a sentence against lines of the page it belongs to, and of other pages. */
function judged(said: string, lines: readonly string[] | undefined, others: readonly MemoryPage[] = []) {
  const [candidate] = extractByRules({
    text: said,
    sources: ['turn'],
    at: Date.parse('2026-11-02T09:00:00Z'),
    timeZone: 'UTC',
  });
  if (!candidate) throw new Error(`There is no candidate in: ${said}`);
  const place = lines && page(lines.map((line) => `- ${line}`).join('\n'));
  const { action, reason, strikes } = judge(candidate, { place, others });
  return {
    verdict: `${action} ${reason.code}`,
    struck: strikes.flatMap((strike) => strike.lines.map((line) => line.replace(/^- /, ''))),
  };
}

it.each([
  ['I prefer the dark theme.', undefined, 'ADD new', []],
  ['I prefer the dark theme.', ['The user prefers the dark theme.'], 'NONE known_already', []],
  ['I like the dark theme.', ['The user really likes the dark theme in all editors.'], 'NONE known_already', []],
  [
    'I prefer the light theme.',
    ['The user prefers the dark theme.'],
    'UPDATE contradicts',
    ['The user prefers the dark theme.'],
  ],
  ['I prefer the light theme.', ['The user prefers the dark theme on the phone.'], 'UPDATE adds_to_topic', []],
  [
    'I prefer tabs over spaces.',
    ['The user prefers spaces over tabs.'],
    'UPDATE contradicts',
    ['The user prefers spaces over tabs.'],
  ],
  ['I hate mushrooms.', ['The user likes mushrooms.'], 'UPDATE contradicts', ['The user likes mushrooms.']],
  ['I like mushrooms.', ['The user hates onions.'], 'UPDATE adds_to_topic', []],
  ['I love old maps.', ['The user loves new maps.'], 'UPDATE adds_to_topic', []],
  [
    'I prefer long functions.',
    ['The user prefers short functions.'],
    'UPDATE contradicts',
    ['The user prefers short functions.'],
  ],
  ['I switched from Vim to Emacs.', ['The user always uses Vim.'], 'UPDATE contradicts', ['The user always uses Vim.']],
  [
    'My favourite colour is green.',
    ["The user's favourite colour is blue."],
    'UPDATE contradicts',
    ["The user's favourite colour is blue."],
  ],
  [
    'I live in Bergen.',
    ['Residence: The user lives in Oslo.', 'Name: The user is called Ann.'],
    'UPDATE contradicts',
    ['Residence: The user lives in Oslo.'],
  ],
  ['I work at Acme.', ['Residence: The user lives in Oslo.'], 'UPDATE adds_to_topic', []],
  [
    "Let's go with MySQL.",
    ['We decided to use Postgres for the main database.'],
    'UPDATE contradicts',
    ['We decided to use Postgres for the main database.'],
  ],
  [
    'Note that the API limit is 600 requests per minute.',
    ['The API limit is 500 requests per minute.'],
    'UPDATE contradicts',
    ['The API limit is 500 requests per minute.'],
  ],
  ['Note that the API limit is high.', ['The API limit is 500 requests per minute.'], 'UPDATE adds_to_topic', []],
  [
    'I no longer drink coffee.',
    ['The user drinks coffee every morning.', 'The user likes tea.'],
    'DELETE taken_back',
    ['The user drinks coffee every morning.'],
  ],
  ['I no longer drink coffee.', ['The user likes tea.'], 'UPDATE adds_to_topic', []],
  ['Forget that I like coffee.', ['The user likes coffee.'], 'DELETE taken_back', ['The user likes coffee.']],
  ['Forget that I like coffee.', ['The user likes tea.'], 'NONE nothing_to_take_back', []],
  ['我更喜欢浅色主题。', ['用户更喜欢深色主题。'], 'UPDATE contradicts', ['用户更喜欢深色主题。']],
  ['我不喜欢香菜。', ['用户喜欢香菜。'], 'UPDATE contradicts', ['用户喜欢香菜。']],
  ['我喜欢香菜。', ['用户喜欢香菜。'], 'NONE known_already', []],
  ['我住在北京。', ['居住地: 用户住在上海。'], 'UPDATE contradicts', ['居住地: 用户住在上海。']],
  ['我们决定用 MySQL。', ['我们决定使用 PostgreSQL。'], 'UPDATE contradicts', ['我们决定使用 PostgreSQL。']],
  ['忘掉我喜欢咖啡这件事。', ['用户喜欢咖啡。', '用户喜欢茶。'], 'DELETE taken_back', ['用户喜欢咖啡。']],
] as const)('%s against %j is %s', (said, lines, verdict, struck) => {
  expect(judged(said, lines)).toEqual({ verdict, struck });
});

it('H49: what another page says already is not written again', () => {
  const other = page('- The user likes hiking in the Alps.', { uri: 'strata://user/u/memories/preferences/y' });
  expect(judged('I like hiking in the Alps.', undefined, [other]).verdict).toBe('NONE known_already');
});

it('the opposite of what another page says takes its place', () => {
  const other = page('- The user likes mushrooms.', { uri: 'strata://user/u/memories/preferences/y' });
  expect(judged("I don't like mushrooms.", undefined, [other])).toEqual({
    verdict: 'ADD contradicts',
    struck: ['The user likes mushrooms.'],
  });
});

it('pages that stand no longer, and pages that cannot be read, are no reason for anything', () => {
  const retired = page('- The user likes mushrooms.', { status: 'retired' });
  expect(judged('I like mushrooms.', undefined, [retired]).verdict).toBe('ADD new');
});

import { expect, it } from 'vitest';
import { extractByRules, type RuleInput } from './extract-by-rules.ts';
import { chineseSaid } from './testing/chinese-said.ts';
import { englishSaid } from './testing/english-said.ts';
import { namedSaid } from './testing/named-said.ts';

function extract(text: string, more: Partial<RuleInput> = {}) {
  return extractByRules({ text, sources: ['turn'], at: Date.parse('2026-11-02T09:00:00Z'), timeZone: 'UTC', ...more });
}

const rows = [...englishSaid, ...chineseSaid, ...namedSaid].map(([said, kept, answer]) => ({ said, kept, answer }));

it.each(rows)('$said gives $kept', ({ said, kept, answer }) => {
  const found = extract(said, answer === undefined ? {} : { answer: { text: answer, source: 'answer' } });
  expect(found.map(({ signal, kind, explicit, text }) => `${signal} ${kind}${explicit ? ' !' : ''}: ${text}`)).toEqual(
    kept,
  );
});

it('finds nothing but requests where only those are wanted', () => {
  const text = 'I live in Oslo. Remember that I prefer tea. We decided to use Postgres.';
  expect(extract(text, { requestsOnly: true }).map((one) => one.text)).toEqual(['The user prefers tea.']);
});

it('a correction names the turn of the answer that it corrects as well', () => {
  const [found] = extract("No, it's 8080, not 80.", {
    answer: { text: 'The server listens on port 80.', source: 'answer' },
  });
  expect(found).toMatchObject({
    text: 'The server listens on port 8080.',
    denies: ['80'],
    sources: ['turn', 'answer'],
  });
});

it.each([
  'We decided to close the ledger on the last Friday of the month.',
  'We decided to publish the report in the last week of the quarter.',
])('a day of a rule is no day of the calendar: %s', (said) => {
  expect(extract(said).map((one) => one.text)).toEqual([said]);
});

it('days are those where the user is', () => {
  const at = Date.parse('2026-11-02T23:30:00Z');
  const [here] = extract('I have an interview tomorrow.', { at, timeZone: 'UTC' });
  const [there] = extract('I have an interview tomorrow.', { at, timeZone: 'Asia/Shanghai' });
  expect([here?.text, there?.text]).toEqual([
    'The user has an interview on 2026-11-03.',
    'The user has an interview on 2026-11-04.',
  ]);
});

it('of a pasted document only what stands before and behind it is the user’s own', () => {
  const pasted = Array.from(
    { length: 60 },
    (_, line) => `I prefer option ${line} and my name is Bob${line}. We decided to use plan ${line}.`,
  ).join('\n');
  const text = `I prefer tabs over spaces. Here is what they wrote:\n\n${pasted}\n\nPlease remember that I live in Oslo.`;
  expect(extract(text).map((one) => one.text)).toEqual([
    'The user prefers tabs over spaces.',
    'The user lives in Oslo.',
  ]);
});

it('nobody gives more than twenty candidates in one message', () => {
  const text = Array.from({ length: 25 }, (_, index) => `I like thing${index}.`).join(' ');
  expect(extract(text)).toHaveLength(20);
});

const million = 1_000_000;
it.each([
  ['a line without an end', 'remember that I prefer '.repeat(million / 20)],
  ['openings that are never closed', '“'.repeat(million)],
  ['backticks', '`'.repeat(million)],
  ['full stops', '.'.repeat(million)],
  ['blanks', `I prefer${' '.repeat(million)}tea`],
  ['short sentences', 'I like it. '.repeat(million / 10)],
  ['lines', 'a: b\n'.repeat(million / 5)],
  ['Chinese without an end', '我喜欢'.repeat(million / 3)],
  ['fences', '```\n'.repeat(million / 4)],
  ['injected blocks that are never closed', '<relevant-memories>'.repeat(million / 20)],
  ['commas', `I prefer ${'a, '.repeat(180)}`.repeat(1_000)],
  ['corrections', "No, it's 1, not 2. ".repeat(million / 20)],
])('a hostile text ends: %s', (_, text) => {
  expect(extract(text, { answer: { text: '2 '.repeat(10_000), source: 'answer' } }).length).toBeLessThanOrEqual(20);
});

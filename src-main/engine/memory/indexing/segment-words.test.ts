import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerIndex } from '../../../index/create-worker-index.ts';
import { asking, somePage } from '../../../index/testing/samples.ts';
import { queryTerms, segmentWords } from './segment-words.ts';

const size = 1_000_000;
const hostile: readonly (readonly [string, string])[] = [
  ['one letter with marks in the wrong order', `a${'\u0301\u0323'.repeat(size / 2)}`],
  ['letters with many marks each', `a${'\u0301\u0323'.repeat(50)}`.repeat(size / 101)],
  ['one run of Chinese', '我们在里斯本见面讨论数据库的问题'.repeat(size / 16)],
  ['one Chinese character', '龘'.repeat(size)],
  ['one run of Thai', 'สวัสดีครับ'.repeat(size / 10)],
  ['lone surrogates', '\ud800'.repeat(size)],
  ['NUL', '\0'.repeat(size)],
  ['one word without end', 'é'.repeat(size)],
  ['joined emoji', '👩‍👩‍👧'.repeat(size / 8)],
  ['ligatures that are eighteen letters each', '\ufdfa'.repeat(size / 10)],
  ['parts of Hangul', '\u1100\u1161\u11a8'.repeat(size / 3)],
  ['white space behind a letter', `é${' '.repeat(size)}`],
];

// A time that grows with the square of the length would be minutes here, and end the test.
it.each(hostile)(
  'a million characters are cut into words in proportion to their number: %s',
  { timeout: 60_000 },
  (_name, text) => {
    const segmented = segmentWords(text);
    expect(segmented.length).toBeLessThan(15 * size);
    expect(segmented.isWellFormed()).toBe(true);
    expect(queryTerms(text).length).toBeLessThan(20_000);
  },
);

it('marks beyond those of any language are dropped, others are kept', () => {
  expect(segmentWords(`a${'\u0323'.repeat(40)}`)).toBe(segmentWords(`a${'\u0323'.repeat(30)}`));
  expect(segmentWords('a\u0323\u0301')).toBe('ạ́'.normalize('NFKC'));
});

it('NUL, surrogates without a partner and emoji stand between words and join none', () => {
  expect(segmentWords('tea\0milk')).toBe('tea milk');
  expect(segmentWords('tea\ud800milk 茶')).toBe('tea milk 茶');
  expect(segmentWords('tea🍵milk')).toBe('tea emoji1f375 milk');
});

it('six million characters of Chinese are indexed while the calling thread is idle', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'strata-long-'));
  const index = createWorkerIndex({ file: join(dir, 'index.db') });
  onTestFinished(async () => {
    await index.close();
    await rm(dir, { recursive: true, force: true });
  });
  const text = '我们在里斯本见面讨论数据库的问题'.repeat(6_250);
  const pages = Array.from({ length: 60 }, (_, at) => somePage(`page-${at}`, { levels: { text } }));
  await index.state();
  const before = performance.eventLoopUtilization();
  for (const page of pages) await index.putPages([page]);
  const { utilization } = performance.eventLoopUtilization(before);
  expect(utilization).toBeLessThan(0.5);
  expect(await index.searchText(asking('里斯本', { limit: 100 }))).toHaveLength(60);
}, 120_000);

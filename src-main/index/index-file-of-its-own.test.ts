import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MemoryIndexWriter } from '../engine/ports/memory-index-writer.ts';
import { openInlineIndex } from './open-inline-index.ts';
import { IndexDesk } from './index-calls.ts';
import { asking, somePage, someTurn } from './testing/samples.ts';

async function fileOf(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'strata-index-file-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  return join(directory, 'index.db');
}

function opened(file: string): MemoryIndexWriter {
  const index = openInlineIndex({ file });
  onTestFinished(async () => index.close());
  return index;
}

const uri = (name: string): string => `strata://user/ann/memories/${name}`;

it('is readable for its owner only, with its log', async () => {
  const file = await fileOf();
  await writeFile(file, '', { mode: 0o644 });
  const index = opened(file);
  await index.putPages([somePage('a', { levels: { text: 'tea' } })]);
  for (const end of ['', '-wal', '-shm']) expect((await stat(file + end)).mode & 0o777).toBe(0o600);
});

it('what is erased is in no byte of the file and its log, also what the page said before it was changed', async () => {
  const file = await fileOf();
  const index = opened(file);
  const others = Array.from({ length: 60 }, (_, number) =>
    somePage(`other-${number}`, { levels: { text: 'plain words' } }),
  );
  await index.putPages([
    somePage('secret', { aliases: ['zanzibarquux'], levels: { text: 'first xylophonist' } }),
    ...others,
  ]);
  await index.putPages([
    somePage('secret', { levels: { abstract: 'wobblegram', text: 'then marzipanium '.repeat(900) } }),
  ]);
  await index.noteUses([uri('secret')], 1);
  expect(await index.erase([uri('secret')])).toBe(2);
  for (const end of ['', '-wal']) {
    const bytes = (await readFile(file + end)).toString('latin1');
    for (const word of ['zanzibar', 'xylophon', 'wobbleg', 'marzipan', 'memories/secret'])
      expect([end, word, bytes.includes(word)]).toEqual([end, word, false]);
  }
  expect(await index.searchText(asking('plain', { limit: 100 }))).toHaveLength(60);
});

it('finds the same before its words are in memory as after', async () => {
  const file = await fileOf();
  const index = openInlineIndex({ file });
  const pages = Array.from({ length: 40 }, (_, at) =>
    somePage(`p${at}`, {
      levels: { overview: 'tea '.repeat(at % 7), text: `tea and ${at % 3 === 0 ? 'coffee' : 'milk'}` },
    }),
  );
  await index.putPages(pages);
  await index.putTurns([someTurn(1, 'tea with milk'), someTurn(2, 'no tea')], undefined);
  await index.close();
  const desk = new IndexDesk(file, 0);
  onTestFinished(() => desk.close());
  const ask = () => [
    desk
      .call('searchText', [asking('tea coffee milk', { limit: 100 })])
      .map((hit) => [hit.uri, hit.level, hit.score.toFixed(9)]),
    desk.call('frequencies', [['tea', 'milk', 'nothing'], asking('').scope]),
  ];
  expect(desk.isLoaded).toBe(false);
  const before = ask();
  while (!desk.isLoaded) desk.load();
  expect(ask()).toEqual(before);
});

it('what is written while its words are being read into memory is found once', async () => {
  const file = await fileOf();
  const index = openInlineIndex({ file });
  const pages = Array.from({ length: 1_500 }, (_, at) => somePage(`p${at}`, { levels: { text: 'tea' } }));
  await index.putPages(pages);
  await index.close();
  const desk = new IndexDesk(file, 0);
  onTestFinished(() => desk.close());
  desk.load();
  expect(desk.isLoaded).toBe(false);
  desk.call('putPages', [
    [somePage('p3', { levels: { text: 'milk' } }), somePage('p1400', { levels: { text: 'milk' } })],
  ]);
  desk.call('remove', [[uri('p4'), uri('p1401')]]);
  while (!desk.isLoaded) desk.load();
  expect(desk.call('frequencies', [['tea', 'milk'], asking('').scope]).byTerm).toEqual(
    new Map([
      ['tea', 1_496],
      ['milk', 2],
    ]),
  );
});

it('while it is built anew a search finds the old, and at the end only what was put', async () => {
  const index = opened(await fileOf());
  await index.putPages([somePage('kept', { levels: { text: 'tea' } }), somePage('gone', { levels: { text: 'tea' } })]);
  await index.putTurns([someTurn(1, 'tea')], { sessionUid: 's1', sequence: 1, checkpoints: '' });
  await index.beginRebuild();
  expect(await index.marks()).toEqual([]);
  await index.putPages([somePage('kept', { levels: { text: 'tea' } })]);
  expect(await index.searchText(asking('tea'))).toHaveLength(3);
  await index.endRebuild();
  expect((await index.searchText(asking('tea'))).map((hit) => hit.uri)).toEqual([uri('kept')]);
  const fresh = opened(await fileOf());
  await fresh.putPages([somePage('kept', { levels: { text: 'tea' } })]);
  expect(await index.fingerprint()).toBe(await fresh.fingerprint());
});

it('counts of use outlive a file that is damaged elsewhere', async () => {
  const file = await fileOf();
  const index = openInlineIndex({ file });
  await index.putPages(
    Array.from({ length: 300 }, (_, at) => somePage(`p${at}`, { levels: { text: 'tea '.repeat(200) } })),
  );
  await index.noteUses(['x', 'x'], 5);
  await index.noteUses(['x'], 7);
  await index.close();
  // Its end is missing.
  await truncate(file, Math.floor((await stat(file)).size / 8192) * 4096);
  const again = opened(file);
  expect(again.note).toContain('built anew');
  expect(await again.uses(['x'])).toEqual(new Map([['x', { count: 2, last: 7 }]]));
});

it('texts wait for a vector again when the vectors are forgotten', async () => {
  const index = opened(await fileOf());
  await index.putPages([somePage('a', { levels: { text: 'tea' } })]);
  const [waiting] = await index.pendingTexts('m', 10);
  if (!waiting) throw new Error('a text waits for a vector');
  await index.putVectors({ id: 'm', dimension: 2 }, [{ ...waiting, vector: Float32Array.of(1, 0) }]);
  expect(await index.state()).toMatchObject({ vectors: 1, dimension: 2 });
  await index.forgetVectors();
  expect(await index.state()).toMatchObject({ vectors: 0, embedder: undefined });
  expect(await index.pendingTexts('m', 10)).toHaveLength(1);
});

import Database from 'better-sqlite3';
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const uri = 'strata://user/default/memories/preferences/tea';
const settings = { config: { memory: { write_memory_md: false } } };

async function filled(): Promise<{ readonly fixture: EngineFixture; readonly whole: string; readonly file: string }> {
  const fixture = await openEngineFixture(settings);
  await fixture.send('savePage', {
    params: { uri },
    body: { title: 'Tea', kind: 'preference', truth: 'Ann likes tea.' },
  });
  for (let at = 0; at < 40; at += 1) {
    const content = `Turn ${at} ${'about many words in Lisbon '.repeat(40)}`;
    await fixture.send('commitTurn', {
      body: { advancement_key: `k${at}`, session_id: 's', format: 'openai', messages: [{ role: 'user', content }] },
    });
  }
  await fixture.engine.memory.indexing.follower.settled();
  const whole = await fixture.parts.memoryIndex.fingerprint();
  return { fixture, whole, file: join(fixture.dataDir, 'index.db') };
}

async function expectWhole(fixture: EngineFixture, whole: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await fixture.engine.memory.indexing.follower.settled();
      expect(await fixture.parts.memoryIndex.fingerprint()).toBe(whole);
    },
    { timeout: 15_000 },
  );
}

const size = async (file: string): Promise<number> => (await readFile(file)).length;

it.each<[string, (file: string) => Promise<void>, RegExp]>([
  ['holds something else', (file) => writeFile(file, 'nothing of the kind '.repeat(1_000)), /damaged/],
  ['is cut off in its first page', (file) => truncate(file, 1_000), /damaged/],
  ['is cut off in the middle', async (file) => truncate(file, Math.floor((await size(file)) / 8192) * 4096), /damaged/],
  [
    'is overwritten from the second page on',
    async (file) => {
      const bytes = await readFile(file);
      bytes.fill(0x5a, 4_096);
      await writeFile(file, bytes);
    },
    /damaged/,
  ],
  [
    'is a folder',
    async (file) => {
      await rm(file);
      await mkdir(file);
      await writeFile(join(file, 'inside'), '');
    },
    /folder|damaged/,
  ],
  [
    'is of another schema',
    async (file) => {
      const db = new Database(file);
      db.pragma('user_version = 99');
      db.close();
    },
    /schema 99/,
  ],
])('an index that %s is made anew, with a note', async (_name, damage, note) => {
  const { fixture, whole, file } = await filled();
  await fixture.reopen(() => damage(file));
  await expectWhole(fixture, whole);
  expect(fixture.parts.memoryIndex.note).toMatch(note);
  if (!/schema/.test(note.source)) {
    expect((await readdir(fixture.dataDir)).filter((name) => name.startsWith('index.db.damaged-'))).not.toEqual([]);
  }
});

it.each<[string, (file: string) => Promise<void>]>([
  ['empty', (file) => writeFile(file, '')],
  ['gone', (file) => rm(file)],
])('an index that is %s is filled again', async (_name, damage) => {
  const { fixture, whole, file } = await filled();
  await fixture.reopen(() => damage(file));
  await expectWhole(fixture, whole);
});

it('an index that may only be read is made writable or made anew', async () => {
  const { fixture, whole, file } = await filled();
  await fixture.reopen(() => chmod(file, 0o400));
  await expectWhole(fixture, whole);
  await fixture.parts.memoryIndex.noteUses([uri], 1);
  expect((await fixture.parts.memoryIndex.uses([uri])).get(uri)).toEqual({ count: 1, last: 1 });
});

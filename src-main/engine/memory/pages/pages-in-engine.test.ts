import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const uri = 'strata://user/default/memories/preferences/theme';
const path = 'memories/users/default/preferences/theme.md';

function fileOf(fixture: EngineFixture, inside = path): string {
  return join(fixture.dataDir, 'workspace', inside);
}

async function personWrites(fixture: EngineFixture, text: string | Uint8Array, inside = path): Promise<void> {
  const file = fileOf(fixture, inside);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

it('a page that is written is a file, is read back, listed, and has a version', async () => {
  const fixture = await openEngineFixture();
  const saved = await fixture.send('savePage', {
    params: { uri },
    body: { title: 'Theme', truth: 'Prefers the dark theme.', author: 'agent', reason: 'said so' },
  });
  expect(saved).toMatchObject({ uri, path, version: 1, kind: 'preference', abstract: 'Prefers the dark theme.' });
  expect(await readFile(fileOf(fixture), 'utf8')).toBe(
    '---\ntitle: Theme\nkind: preference\ncreated: 2026-11-02T10:00:00.000Z\n---\n\nPrefers the dark theme.\n',
  );
  expect((await fixture.send('page', { params: { uri } })).truth).toBe('Prefers the dark theme.');
  expect((await fixture.send('pages', {})).items.map((page) => page.uri)).toEqual([uri]);
  const history = await fixture.send('pageHistory', { params: { uri } });
  expect(history.items).toMatchObject([{ version: 1, author: 'agent', reason: 'said so', change: 'created' }]);
});

it('what a person writes with any editor becomes a version of its own, by the user', async () => {
  const fixture = await openEngineFixture();
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.', author: 'agent' } });
  await personWrites(fixture, '# Theme\n\nLight, after all.\n');
  const page = await fixture.send('page', { params: { uri } });
  expect(page).toMatchObject({ version: 2, truth: '# Theme\n\nLight, after all.', title: 'Theme' });
  const history = await fixture.send('pageHistory', { params: { uri } });
  expect(history.items.map(({ author, change }) => [author, change])).toEqual([
    ['user', 'changed'],
    ['agent', 'created'],
  ]);
});

it('a change that is based on an older version is refused with what stands', async () => {
  const fixture = await openEngineFixture();
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.' } });
  await fixture.send('savePage', { params: { uri }, body: { truth: 'Light.', base_version: 1 } });
  const late = fixture.send('savePage', { params: { uri }, body: { truth: 'Blue.', base_version: 1 } });
  await expect(late).rejects.toMatchObject({
    code: 'page_conflict',
    details: { version: 2, content: expect.stringContaining('Light.') },
  });
  await expect(fixture.send('savePage', { params: { uri }, body: { title: 'New', truth: 'x' } })).rejects.toMatchObject(
    { code: 'page_exists' },
  );
});

it('every version can be restored byte for byte, also of a file that was deleted', async () => {
  const fixture = await openEngineFixture();
  const bytes = Buffer.from('\ufeff---\r\ntitle: A # why\r\n---\r\nOne.\r\n');
  await personWrites(fixture, bytes);
  await fixture.send('page', { params: { uri } });
  await rm(fileOf(fixture));
  await expect(fixture.send('page', { params: { uri } })).rejects.toMatchObject({ code: 'unknown_page' });
  expect((await fixture.send('pages', {})).total).toBe(0);
  const restored = await fixture.send('restorePage', { params: { uri }, body: { version: 1 } });
  expect(restored.version).toBe(3);
  expect(await readFile(fileOf(fixture))).toEqual(bytes);
});

it('what changed while nobody watched is found at the start', async () => {
  const fixture = await openEngineFixture({ config: { memory: { write_memory_md: false } } });
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.' } });
  await personWrites(fixture, '# Theme\n\nChanged.\n');
  await personWrites(fixture, '# Today\n\nMet Lin.\n', 'memory/2026-11-02.md');
  await fixture.reopen();
  await fixture.engine.memory.keeper.settled();
  const { items } = await fixture.send('pages', {});
  expect(items.map(({ path: file, version, kind }) => [file, version, kind])).toEqual([
    [path, 2, 'preference'],
    ['memory/2026-11-02.md', 1, 'note'],
  ]);
});

it('a page that was renamed answers at its old address with the new one', async () => {
  const fixture = await openEngineFixture();
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.' } });
  const to = 'strata://user/default/memories/preferences/editor-theme';
  const moved = await fixture.send('renamePage', { params: { uri }, body: { to } });
  expect(moved).toMatchObject({ uri: to, version: 2, aliases: [uri] });
  expect((await fixture.send('page', { params: { uri } })).uri).toBe(to);
  const changed = await fixture.send('savePage', { params: { uri }, body: { truth: 'Darker.', base_version: 2 } });
  expect(changed).toMatchObject({ uri: to, version: 3 });
});

it('a page that is forgotten for good is gone from file and history, and it is said what remains', async () => {
  const fixture = await openEngineFixture();
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.' } });
  const hard = fixture.send('deletePage', { params: { uri }, body: { mode: 'hard' } });
  await expect(hard).rejects.toMatchObject({ code: 'confirmation_needed' });
  const gone = await fixture.send('deletePage', { params: { uri }, body: { mode: 'hard', confirm: 'Theme' } });
  expect(gone.removed).toEqual([
    { what: 'file', count: 1 },
    { what: 'versions', count: 1 },
    { what: 'contents', count: 1 },
  ]);
  await expect(fixture.send('pageHistory', { params: { uri } })).rejects.toMatchObject({ code: 'unknown_page' });
});

it('a place that could not forget a page keeps no other from it, and is asked again with the page', async () => {
  const fixture = await openEngineFixture();
  const { pages } = fixture.engine.memory;
  await fixture.send('savePage', { params: { uri }, body: { title: 'Theme', truth: 'Dark.' } });
  const asked: string[] = [];
  const stop = pages.onErase(async (page) => {
    asked.push(`first ${page}`);
    return Promise.reject(new Error('the disk is full'));
  });
  pages.onErase(async (page) => {
    asked.push(`second ${page}`);
    return Promise.resolve();
  });
  await expect(pages.erase(uri, {})).rejects.toThrow('the disk is full');
  expect(asked).toEqual([`first ${uri}`, `second ${uri}`]);
  stop();
  await expect(pages.erase(uri, {})).rejects.toMatchObject({ code: 'unknown_page' });
  expect(asked.at(-1)).toBe(`second ${uri}`);
  expect(asked).toHaveLength(3);
});

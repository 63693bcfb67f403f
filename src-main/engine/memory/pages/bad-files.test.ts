import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

async function write(fixture: EngineFixture, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  await mkdir(join(fixture.dataDir, 'workspace'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(fixture.dataDir, 'workspace', name), text);
  await fixture.engine.memory.keeper.scan();
}

it('files that cannot be read are listed with their problem, kept, and do not stop the others', async () => {
  const fixture = await openEngineFixture();
  await write(fixture, {
    'a-binary.md': Buffer.from([0, 1, 2]),
    'b-yaml.md': '---\na: [\n---\nx\n',
    'c-latin.md': Buffer.from([0x61, 0xe9]),
    'd-large.md': 'x'.repeat(5_000_001),
    '日记 😀.md': 'fine\n',
  });
  const { items } = await fixture.send('pages', {});
  expect(items.map((page) => page.problem?.code)).toEqual([
    'binary',
    'bad_front_matter',
    'not_utf8',
    'too_large',
    undefined,
  ]);
  const machine = { title: 'x', base_version: 1, author: 'agent' as const };
  await expect(
    fixture.send('savePage', { params: { uri: 'strata://resources/b-yaml' }, body: machine }),
  ).rejects.toMatchObject({ code: 'invalid_page' });
  const alarm = async () => (await fixture.send('health', {})).alarms.find(({ code }) => code === 'page_unreadable');
  expect((await alarm())?.message).toMatch(/^4 pages, the first of them a-binary\.md, cannot be read: /);
  const mended = { content: '---\na: 1\n---\nx\n', base_version: 1 };
  const page = await fixture.send('savePage', { params: { uri: 'strata://resources/b-yaml' }, body: mended });
  expect(page.problem).toBeUndefined();
  expect((await alarm())?.message).toContain('3 pages');
  const move = { to: 'strata://resources/e-large' };
  const moved = await fixture.send('renamePage', { params: { uri: 'strata://resources/d-large' }, body: move });
  expect([moved.path, moved.version, moved.size, moved.problem?.code]).toEqual([
    'e-large.md',
    2,
    5_000_001,
    'too_large',
  ]);
  expect((await stat(join(fixture.dataDir, 'workspace', 'e-large.md'))).size).toBe(5_000_001);
  await write(fixture, { 'a-binary.md': 'x', 'c-latin.md': 'x', 'e-large.md': 'x' });
  expect(await alarm()).toBeUndefined();
});

it('G11: a workspace that is not there loses no page, and the daemon still serves', async () => {
  const fixture = await openEngineFixture();
  await write(fixture, { 'note.md': 'x\n' });
  const root = join(fixture.dataDir, 'workspace');
  await rename(root, `${root}.away`);
  await fixture.engine.memory.keeper.scan();
  expect((await fixture.send('pages', {})).total).toBe(1);
  await expect(fixture.send('page', { params: { uri: 'strata://resources/note' } })).rejects.toMatchObject({
    code: 'workspace_blocked',
  });
  expect((await fixture.send('health', {})).alarms.map((alarm) => alarm.code)).toContain('workspace_failing');
  await rm(root, { recursive: true, force: true });
  await rename(`${root}.away`, root);
  expect(await fixture.send('page', { params: { uri: 'strata://resources/note' } })).toMatchObject({ version: 1 });
});

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const inside = (fixture: EngineFixture, path: string): string => join(fixture.dataDir, 'workspace', path);

async function openWith(files: Readonly<Record<string, string>>): Promise<EngineFixture> {
  const fixture = await openEngineFixture();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(inside(fixture, path)), { recursive: true });
    await writeFile(inside(fixture, path), text);
  }
  await fixture.engine.memory.keeper.scan();
  return fixture;
}

async function changes(fixture: EngineFixture, name: string): Promise<string[]> {
  const { items } = await fixture.send('pageHistory', { params: { uri: `strata://resources/${name}` } });
  return items.map(({ change, author }) => `${change} ${author}`);
}

it('a file that a person moves takes its history along, and its old address answers with the new one', async () => {
  const fixture = await openWith({ 'a.md': 'One.\n' });
  await writeFile(inside(fixture, 'a.md'), 'Two.\n');
  await fixture.engine.memory.keeper.scan();
  await rename(inside(fixture, 'a.md'), inside(fixture, 'b.md'));
  await fixture.engine.memory.keeper.scan();
  expect(await changes(fixture, 'b')).toEqual(['renamed user', 'changed user', 'created user']);
  expect(await fixture.send('page', { params: { uri: 'strata://resources/a' } })).toMatchObject({
    uri: 'strata://resources/b',
    version: 3,
    truth: 'Two.',
  });
});

it('a move is one also where somebody asks for the new address, or the old one, before it was noticed', async () => {
  const fixture = await openWith({ 'a.md': 'One.\n', 'c.md': 'Three.\n' });
  await rename(inside(fixture, 'a.md'), inside(fixture, 'b.md'));
  expect((await fixture.send('page', { params: { uri: 'strata://resources/b' } })).version).toBe(2);
  await rename(inside(fixture, 'c.md'), inside(fixture, 'd.md'));
  await expect(fixture.send('page', { params: { uri: 'strata://resources/c' } })).rejects.toMatchObject({
    code: 'unknown_page',
  });
  await fixture.engine.memory.keeper.scan();
  expect(await changes(fixture, 'd')).toEqual(['renamed user', 'deleted user', 'created user']);
  expect((await fixture.send('page', { params: { uri: 'strata://resources/c' } })).uri).toBe('strata://resources/d');
});

it('a folder that moves takes its pages along, there and back again', async () => {
  const fixture = await openWith({ 'old/a.md': 'Same.\n', 'old/b.md': 'Same.\n', 'old/c.md': 'Other.\n' });
  await rename(inside(fixture, 'old'), inside(fixture, 'new'));
  await fixture.engine.memory.keeper.scan();
  for (const name of ['a', 'b', 'c']) expect((await changes(fixture, `new/${name}`))[0]).toBe('renamed user');
  await rename(inside(fixture, 'new'), inside(fixture, 'old'));
  await fixture.engine.memory.keeper.scan();
  expect(await changes(fixture, 'old/a')).toEqual(['renamed user', 'renamed user', 'created user']);
  expect((await fixture.send('pages', {})).total).toBe(3);
});

it('a copy is a page of its own, and so is one of several equal files of which nobody knows which moved', async () => {
  const fixture = await openWith({ 'a.md': 'Same.\n', 'b.md': 'Same.\n', 'c.md': 'Kept.\n' });
  await writeFile(inside(fixture, 'copy.md'), 'Kept.\n');
  for (const name of ['a.md', 'b.md']) await rm(inside(fixture, name));
  await writeFile(inside(fixture, 'x.md'), 'Same.\n');
  await fixture.engine.memory.keeper.scan();
  expect(await changes(fixture, 'copy')).toEqual(['created user']);
  expect(await changes(fixture, 'x')).toEqual(['created user']);
});

it('what appears long after it was deleted elsewhere is new', async () => {
  const fixture = await openWith({ 'a.md': 'One.\n' });
  await rm(inside(fixture, 'a.md'));
  await fixture.engine.memory.keeper.scan();
  fixture.clock.advance(60_000);
  await writeFile(inside(fixture, 'b.md'), 'One.\n');
  await fixture.engine.memory.keeper.scan();
  expect(await changes(fixture, 'b')).toEqual(['created user']);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const script = join(import.meta.dirname, 'testing', 'write-and-die.ts');

/** A page in version 1 (2 where it is to be restored), then a process that is killed at this point of its change, then a new start. */
async function killedAt(action: 'save' | 'rename' | 'restore' | 'erase', point: string): Promise<EngineFixture> {
  const fixture = await openEngineFixture();
  const body = { content: 'Before.\n' };
  await fixture.send('savePage', { params: { uri: 'strata://resources/a' }, body });
  if (action === 'restore') {
    const second = { content: 'Between.\n', base_version: 1 };
    await fixture.send('savePage', { params: { uri: 'strata://resources/a' }, body: second });
  }
  await fixture.reopen(async () => {
    const child = spawn(process.execPath, [script, fixture.dataDir, action, point], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
  });
  await fixture.engine.memory.keeper.settled();
  expect(await fixture.parts.pageStore.intents()).toEqual([]);
  return fixture;
}

async function textOf(fixture: EngineFixture, name: string): Promise<string | undefined> {
  return readFile(join(fixture.dataDir, 'workspace', `${name}.md`), 'utf8').catch(() => undefined);
}

it.each([
  ['store.begin', 'Before.\n', 1],
  ['workspace.write', 'After.\n', 2],
  ['store.commit', 'After.\n', 2],
])('a save that is killed after %s is there in file and history alike, or in neither', async (point, text, version) => {
  const fixture = await killedAt('save', point);
  expect(await textOf(fixture, 'a')).toBe(text);
  const page = await fixture.send('page', { params: { uri: 'strata://resources/a' } });
  expect([page.version, page.content]).toEqual([version, text]);
  const history = await fixture.send('pageHistory', { params: { uri: 'strata://resources/a' } });
  expect(history.total).toBe(version);
});

it.each([
  ['store.begin', 'a'],
  ['workspace.write', 'b'],
  ['workspace.remove', 'b'],
  ['store.commit', 'b'],
])('a rename that is killed after %s leaves one file, one page and its whole history', async (point, name) => {
  const fixture = await killedAt('rename', point);
  const other = name === 'a' ? 'b' : 'a';
  expect([await textOf(fixture, name), await textOf(fixture, other)]).toEqual(['Before.\n', undefined]);
  const { items } = await fixture.send('pages', {});
  expect(items.map(({ path, version }) => [path, version])).toEqual([[`${name}.md`, name === 'a' ? 1 : 2]]);
  expect((await fixture.send('page', { params: { uri: 'strata://resources/a' } })).path).toBe(`${name}.md`);
});

it.each([
  ['store.begin', 'Between.\n', 2],
  ['workspace.write', 'Before.\n', 3],
  ['store.commit', 'Before.\n', 3],
])(
  'a restore that is killed after %s is there in file and history alike, or in neither',
  async (point, text, version) => {
    const fixture = await killedAt('restore', point);
    expect(await textOf(fixture, 'a')).toBe(text);
    const { items } = await fixture.send('pageHistory', { params: { uri: 'strata://resources/a' } });
    expect([items.length, items[0]?.change]).toEqual([version, version === 3 ? 'restored' : 'changed']);
  },
);

it.each([
  ['workspace.remove', 'deleted'],
  ['store.erase', undefined],
])(
  'forgetting for good that is killed after %s brings no file back, and nothing is left when it is asked for again',
  async (point, change) => {
    const fixture = await killedAt('erase', point);
    const uri = 'strata://resources/a';
    expect(await textOf(fixture, 'a')).toBeUndefined();
    await expect(fixture.send('page', { params: { uri } })).rejects.toMatchObject({ code: 'unknown_page' });
    const history = (): Promise<{ readonly items: readonly { readonly change: string }[] }> =>
      fixture.send('pageHistory', { params: { uri } });
    if (change !== undefined) {
      expect((await history()).items[0]?.change).toBe(change);
      await fixture.engine.memory.pages.erase(uri, {});
    }
    await expect(history()).rejects.toMatchObject({ code: 'unknown_page' });
  },
);

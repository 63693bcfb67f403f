import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const script = join(import.meta.dirname, 'testing', 'write-and-die.ts');

/** A page in version 1, then a process that is killed at this point of its change, then a new start. */
async function killedAt(action: 'save' | 'rename', point: string): Promise<EngineFixture> {
  const fixture = await openEngineFixture();
  const body = { content: 'Before.\n' };
  await fixture.send('savePage', { params: { uri: 'strata://resources/a' }, body });
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

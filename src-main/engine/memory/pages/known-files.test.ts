import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const path = (fixture: EngineFixture, name: string): string => join(fixture.dataDir, 'workspace', name);

/** Paths that one look through all files reads. */
async function readBy(fixture: EngineFixture): Promise<string[]> {
  const { workspace } = fixture.parts;
  const spy = vi.spyOn(workspace, 'read');
  await fixture.engine.memory.keeper.scan();
  const read = spy.mock.calls.map(([name]) => name).sort();
  spy.mockRestore();
  return read;
}

/** Files whose stamps are trusted: left alone for two seconds, then read. */
async function openSettled(files: Readonly<Record<string, string>>): Promise<EngineFixture> {
  const fixture = await openEngineFixture({ config: { memory: { write_memory_md: false } } });
  await fixture.engine.memory.keeper.settled();
  await mkdir(path(fixture, ''), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path(fixture, name), text);
  await fixture.engine.memory.keeper.settled();
  await sleep(2_300);
  await fixture.engine.memory.keeper.scan();
  return fixture;
}

it('files that did not change since they were read are not read again, also after a restart', async () => {
  const fixture = await openSettled({ 'a.md': 'One.\n', 'b.md': 'Two.\n' });
  await fixture.reopen();
  await fixture.engine.memory.keeper.settled();
  expect(await readBy(fixture)).toEqual([]);
});

it('a change that keeps size and time of the file is seen all the same', async () => {
  const fixture = await openSettled({ 'a.md': 'One.\n', 'b.md': 'Two.\n' });
  const date = new Date('2020-01-01T00:00:00Z');
  await fixture.reopen(async () => {
    await writeFile(path(fixture, 'a.md'), 'Uno.\n');
    await utimes(path(fixture, 'a.md'), date, date);
  });
  await fixture.engine.memory.keeper.settled();
  const { items } = await fixture.send('pages', {});
  expect(items.map(({ abstract, version }) => [abstract, version])).toEqual([
    ['Uno.', 2],
    ['Two.', 1],
  ]);
});

it('a summary that was made by other rules is made anew at the start, without a version, and the index has it', async () => {
  const fixture = await openEngineFixture({ config: { memory: { write_memory_md: false } } });
  const uri = 'strata://resources/MEMORY';
  const index = '<!-- strata:index:begin -->\n- [Secret](x)\n<!-- strata:index:end -->\n';
  await fixture.send('savePage', { params: { uri }, body: { content: `${index}\nOwn words.\n` } });
  const stored = await fixture.parts.pageStore.find(uri);
  if (!stored) throw new Error('The page is not there.');
  await fixture.parts.pageStore.summarise(uri, { ...stored.summary, abstract: '- Secret' }, fixture.clock.now());
  expect((await fixture.send('pages', {})).items[0]?.abstract).toBe('- Secret');
  const told: string[] = [];
  fixture.engine.memory.pages.onChange((changed) => told.push(changed));
  await fixture.engine.memory.keeper.scan();
  expect((await fixture.send('pages', {})).items[0]).toMatchObject({ abstract: 'Own words.', version: 1 });
  expect(told).toContain(uri);
});

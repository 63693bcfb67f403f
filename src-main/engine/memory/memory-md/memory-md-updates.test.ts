import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';
import { MemoryMd } from './memory-md.ts';

it('a page that is noted while a slow update runs comes into the next one, without another write', async () => {
  const fixture = await openEngineFixture({ config: { memory: { write_memory_md: false } } });
  const { pages } = fixture.engine.memory;
  const memoryMd = new MemoryMd({
    ...fixture.parts,
    ...{ pages, userId: 'default', isWritten: true, maxTokens: 2_000, debounceMs: 1 },
  });
  const save = async (slug: string): Promise<string> => {
    const uri = `strata://user/default/memories/preferences/${slug}`;
    await pages.save({ uri, change: { fields: { title: slug, truth: slug } }, baseVersion: 0, author: 'user' });
    return uri;
  };
  const list = pages.list.bind(pages);
  let release = (): void => undefined;
  const listing = new Promise<void>((started) => {
    vi.spyOn(pages, 'list').mockImplementationOnce(async (page, filter) => {
      const found = await list(page, filter);
      started();
      await new Promise<void>((resolve) => (release = resolve));
      return found;
    });
  });
  memoryMd.note(await save('first'));
  await listing;
  memoryMd.note(await save('second'));
  // The wait for the next update is over before this one is.
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  const text = async (): Promise<string> => readFile(join(fixture.dataDir, 'workspace', 'MEMORY.md'), 'utf8');
  await vi.waitFor(async () => expect(await text()).toContain('[second]'), 5_000);
  await memoryMd.stop();
});

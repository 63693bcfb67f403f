import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerIndex } from '../../../index/create-worker-index.ts';
import { asking, somePage } from '../../../index/testing/samples.ts';
import { startChild } from '../../../store/testing/child-process.ts';
import type { EngineError } from '../../../../src-shared/model/engine-error.ts';

async function openDying() {
  const dir = await mkdtemp(join(tmpdir(), 'strata-worker-'));
  const file = join(dir, 'index.db');
  const failures: EngineError[] = [];
  const index = createWorkerIndex({
    file,
    onFailure: (error) => failures.push(error),
    workerFile: new URL('./testing/dying-index-worker.ts', import.meta.url),
  });
  onTestFinished(async () => {
    await index.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { index, file, failures };
}

const pages = (...titles: string[]) =>
  titles.map((title, at) => somePage(`page-${at}`, { title, levels: { text: 'harbour' } }));
const found = { limit: 1_000 };

it('a worker that ends in the midst of a batch is told of, started again, and the batch is whole', async () => {
  const { index, failures } = await openDying();
  const titles = Array.from({ length: 100 }, (_, at) => (at === 50 ? 'fragile' : `Page ${at}`));
  await index.putPages(pages(...titles));
  expect(await index.searchText(asking('harbour', found))).toHaveLength(100);
  expect(failures).toMatchObject([{ code: 'store_failed' }]);
});

it('what ends every worker that it is given to is refused after the second, and others go on', async () => {
  const { index, failures } = await openDying();
  await index.putPages(pages('Page 0'));
  await expect(index.putPages(pages('Page 0', 'poison'))).rejects.toMatchObject({ code: 'store_failed' });
  expect(failures).toHaveLength(2);
  expect(await index.searchText(asking('harbour', found))).toHaveLength(1);
  await index.putPages(pages('Page 0', 'Page 1'));
  expect(await index.searchText(asking('harbour', found))).toHaveLength(2);
});

it('G13, G14: another process that searches the same file sees what is written, and neither holds the other up', async () => {
  const { index, file } = await openDying();
  await index.putPages(pages('Page 0'));
  const child = startChild('../../engine/memory/indexing/testing/read-index-until-killed.ts', file);
  expect(await child.nextLine()).toBe('1');
  const titles = Array.from({ length: 200 }, (_, at) => `Page ${at}`);
  await index.putPages(pages(...titles));
  const seen: number[] = [];
  while (seen.at(-1) !== 200) seen.push(Number(await child.nextLine()));
  // What it saw only grew.
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  await child.kill();
  await index.remove([somePage('page-0').uri]);
  expect(await index.searchText(asking('harbour', found))).toHaveLength(199);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tokenizer } from '../../engine/ports/tokenizer.ts';
import { createInlineTokenizer } from './create-inline-tokenizer.ts';
import { createWorkerTokenizer } from './create-worker-tokenizer.ts';

function opened(workerFile?: URL): Tokenizer {
  const tokenizer = createWorkerTokenizer(workerFile);
  onTestFinished(() => tokenizer.close());
  return tokenizer;
}

/** A worker that answers text lengths; `die` ends it, `die once` ends only the first one. */
async function mortalWorker(): Promise<URL> {
  const directory = await mkdtemp(join(tmpdir(), 'strata-tokenizer-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'worker.mjs');
  const marker = JSON.stringify(join(directory, 'died'));
  const source = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, texts }) => {
      if (texts.includes('die')) process.exit(1);
      if (texts.includes('die once') && !existsSync(${marker})) {
        writeFileSync(${marker}, '');
        throw new Error('out of memory');
      }
      parentPort.postMessage({ id, counts: texts.map((text) => text.length) });
    });`;
  await writeFile(file, source);
  return pathToFileURL(file);
}

describe('createWorkerTokenizer', () => {
  it('counts as the tokenizer on the calling thread does, in order', async () => {
    const texts = ['one two three', '', '数据库', '\ud800', 'x'.repeat(5_000)];
    expect(await opened().count(texts)).toEqual(await createInlineTokenizer().count(texts));
  });

  it('answers several requests that run at once, each with its own counts', async () => {
    const tokenizer = opened(await mortalWorker());
    const counts = await Promise.all(['a', 'bb', 'ccc'].map((text) => tokenizer.count([text])));
    expect(counts).toEqual([[1], [2], [3]]);
  });

  it('answers what a worker owed when it died, from the next one', async () => {
    const tokenizer = opened(await mortalWorker());
    const counts = await Promise.all([tokenizer.count(['die once']), tokenizer.count(['behind it'])]);
    expect(counts).toEqual([[8], [9]]);
  });

  it('refuses a text that ends every worker, and counts the next one', async () => {
    const tokenizer = opened(await mortalWorker());
    await expect(tokenizer.count(['die'])).rejects.toMatchObject({ code: 'internal' });
    expect(await tokenizer.count(['still here'])).toEqual([10]);
  });

  it('refuses what waits and what comes once it is closed', async () => {
    const tokenizer = createWorkerTokenizer();
    const waiting = expect(tokenizer.count(['never counted'])).rejects.toMatchObject({ code: 'shutting_down' });
    await tokenizer.close();
    await waiting;
    await expect(tokenizer.count(['too late'])).rejects.toMatchObject({ code: 'shutting_down' });
    await tokenizer.close();
  });

  it('has nothing to do for no texts', async () => {
    expect(await opened(await mortalWorker()).count([])).toEqual([]);
  });
});

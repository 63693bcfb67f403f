import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { recallResultSchema, type RecallResult } from '../src-shared/model/recall.ts';
import { removeDataDirectory, startBenchDaemon, type BenchDaemon } from './daemon-process.ts';

export interface MemoryDaemon {
  readonly daemon: BenchDaemon;
  /** Everything written until now is in the index afterwards, vectors too where there is an embedder. */
  indexed(): Promise<void>;
  search(request: Readonly<Record<string, unknown>>): Promise<RecallResult>;
  close(): Promise<void>;
}

const jobSchema = z
  .object({ job: z.object({ state: z.string() }).loose() })
  .or(z.object({ state: z.string() }).loose());

export interface MemoryFiles {
  /** Markdown files of the workspace by path, without `.md`. */
  readonly pages?: ReadonlyMap<string, string>;
  /** Kinds of memory beyond the product's, by name; YAML. */
  readonly kinds?: ReadonlyMap<string, string>;
  /** As in `config.yaml`. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A real daemon in a directory of its own, for what memory finds in files that were there when it started. */
export async function startMemoryDaemon({
  pages = new Map(),
  kinds = new Map(),
  config = {},
}: MemoryFiles = {}): Promise<MemoryDaemon> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-bench-memory-'));
  await mkdir(join(dataDir, 'workspace'), { recursive: true });
  for (const [path, content] of pages) await writeTo(join(dataDir, 'workspace', `${path}.md`), content);
  for (const [name, content] of kinds) await writeTo(join(dataDir, 'kinds', `${name}.yaml`), content);
  const daemon = await startBenchDaemon({ dataDir, config });
  const search = async (request: Readonly<Record<string, unknown>>): Promise<RecallResult> =>
    recallResultSchema.parse(await daemon.post('/v1/search', request));
  return {
    daemon,
    indexed: async () => {
      await pagesNoticed(daemon, pages.size);
      const { job_id: id } = z.object({ job_id: z.string() }).parse(await daemon.post('/v1/pages/reindex', {}));
      await jobDone(daemon, id);
      await vectorsSettled(search);
    },
    search,
    close: async () => {
      await daemon.stop();
      await removeDataDirectory(dataDir);
    },
  };
}

async function writeTo(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Files are taken in behind the start. */
async function pagesNoticed(daemon: BenchDaemon, count: number): Promise<void> {
  const listSchema = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullish() }).loose();
  for (let tries = 0; tries < 600; tries += 1) {
    let found = 0;
    let cursor = '';
    do {
      const page = listSchema.parse(await daemon.get(`/v1/pages?limit=100${cursor}`));
      found += page.items.length;
      cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
    } while (cursor !== '');
    if (found >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Of ${count} pages that were written not all were noticed within two minutes.`);
}

async function jobDone(daemon: BenchDaemon, id: string): Promise<void> {
  for (;;) {
    const reply = jobSchema.parse(await daemon.get(`/v1/jobs/${encodeURIComponent(id)}`));
    const state = 'job' in reply ? z.object({ state: z.string() }).parse(reply.job).state : reply.state;
    if (state === 'succeeded' || state === 'completed' || state === 'done') return;
    if (state === 'dead' || state === 'cancelled') throw new Error(`The index was not built: the job is ${state}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Vectors are filled in behind the reindex: what is found by them stops changing when they are. */
async function vectorsSettled(search: MemoryDaemon['search']): Promise<void> {
  let before = '';
  for (let tries = 0; tries < 120; tries += 1) {
    // A question that was asked before is answered from the cache only while nothing was written.
    const { from_cache: isSame } = await search({ query: `probe ${before}`, limit: 1 });
    if (isSame) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const again = await search({ query: `probe ${before}`, limit: 1 });
    if (again.from_cache) return;
    before = String(tries % 2);
  }
  throw new Error('The index did not come to rest within two minutes.');
}

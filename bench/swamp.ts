import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { z } from 'zod';
import { pageUri } from '../src-shared/model/uri.ts';
import { startMemoryDaemon } from './memory-daemon.ts';

const swampSchema = z.object({
  pages: z.array(z.object({ id: z.string(), type: z.string(), title: z.string(), text: z.string() }).loose()),
  queries: z.array(z.object({ id: z.string(), text: z.string(), relevant: z.array(z.string()) }).loose()),
});

/** Source swamp (gbrain-evals): whether the curated page comes first, before long chat pages that repeat its words. */
export async function benchSwamp(data: string): Promise<unknown> {
  const { pages, queries } = swampSchema.parse(JSON.parse(await readFile(data, 'utf8')));
  const files = pages.map(
    ({ id, type, title, text }) =>
      [
        id,
        `---
${stringify({ title, tags: [type] })}---

${text}
`,
      ] as const,
  );
  const memory = await startMemoryDaemon({ pages: new Map(files) });
  try {
    await memory.indexed();
    let top1 = 0;
    let top3 = 0;
    const missed: string[] = [];
    for (const { id, text, relevant } of queries) {
      const { candidates } = await memory.search({ query: text, sources: ['page'], limit: 3, min_score: 0 });
      const wanted = new Set(relevant.map((path) => pageUri({ owner: 'workspace', path })));
      const found = candidates.filter(({ packed }) => packed).map(({ uri }) => wanted.has(uri));
      if (found[0] === true) top1 += 1;
      else missed.push(id);
      if (found.includes(true)) top3 += 1;
    }
    return { top1, top3, n: queries.length, missed };
  } finally {
    await memory.close();
  }
}

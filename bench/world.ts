import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { z } from 'zod';
import { pageUri } from '../src-shared/model/uri.ts';
import { startMemoryDaemon } from './memory-daemon.ts';

const worldSchema = z.object({
  pages: z.array(z.object({ id: z.string(), type: z.string(), title: z.string(), text: z.string() }).loose()),
  queries: z.array(
    z
      .object({
        id: z.string(),
        family: z.string(),
        relation: z.string().optional(),
        text: z.string(),
        relevant: z.array(z.string()),
      })
      .loose(),
  ),
});

/** Both measures look at so many pages; P@5 always divides by it, however few are answered. */
const depth = 5;

interface Sums {
  /** Questions that some page answers; only these are measured. */
  n: number;
  precision: number;
  recall: number;
}

/**
 * World (gbrain-evals): pages about people, firms, meetings and ideas, asked for by relation, by description and by idea.
 * A third of the questions, chosen by the hash of their id, was looked at while rules were written; `held_out` are the others.
 */
export async function benchWorld(data: string): Promise<unknown> {
  const { pages, queries } = worldSchema.parse(JSON.parse(await readFile(data, 'utf8')));
  const files = pages.map(
    ({ id, type, title, text }) => [id, `---\n${stringify({ type, title })}---\n\n${text}\n`] as const,
  );
  const memory = await startMemoryDaemon({ pages: new Map(files) });
  try {
    await memory.indexed();
    const sums = new Map<string, Sums>();
    const missed: string[] = [];
    for (const { id, family, relation, text, relevant } of queries.filter((query) => query.relevant.length > 0)) {
      const { candidates } = await memory.search({
        query: text,
        sources: ['page'],
        limit: depth,
        min_score: 0,
        max_tokens: 200_000,
      });
      const found = candidates.filter(({ packed }) => packed).map(({ uri }) => uri);
      const hits = relevant.filter((path) =>
        found.slice(0, depth).includes(pageUri({ owner: 'workspace', path })),
      ).length;
      const isHeldOut = !isForTuning(id);
      const groups = [
        family,
        `${family} ${isHeldOut ? 'held_out' : 'tuning'}`,
        ...(relation === undefined ? [] : [`${family} ${relation}`]),
      ];
      for (const group of groups) add(sums, group, hits, relevant.length);
      if (hits < Math.min(depth, relevant.length)) missed.push(id);
    }
    return {
      ...Object.fromEntries(
        [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, described(sum)]),
      ),
      missed,
    };
  } finally {
    await memory.close();
  }
}

export function isForTuning(id: string): boolean {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % 3 === 0;
}

function add(sums: Map<string, Sums>, group: string, hits: number, relevant: number): void {
  const sum = sums.get(group) ?? { n: 0, precision: 0, recall: 0 };
  sums.set(group, { n: sum.n + 1, precision: sum.precision + hits / depth, recall: sum.recall + hits / relevant });
}

function described({ n, precision, recall }: Sums): Record<string, number> {
  const percent = (sum: number): number => Math.round((1_000 * sum) / n) / 10;
  return { n, p5: percent(precision), r5: percent(recall) };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorFiller } from '../src-main/engine/memory/indexing/vector-filler.ts';
import { createRecall } from '../src-main/engine/recall/create-recall.ts';
import { TokenCounter } from '../src-main/engine/tokens/token-counter.ts';
import { createWorkerIndex } from '../src-main/index/create-worker-index.ts';
import { createEmbedder } from '../src-main/providers/embedder/create-embedder.ts';
import { createWorkerTokenizer } from '../src-main/providers/tokenizer/create-worker-tokenizer.ts';
import { embedderSchema } from '../src-shared/model/embedder-config.ts';
import { percentile, timeEach } from './percentile.ts';
import { at, pages, putPages, putTurns, scope, turns, Words } from './recall-world.ts';

const questions = 200;

/**
 * Recall over 20,000 pages with three levels each and 100,000 turns, index in its worker as in the product, with vectors.
 * Texts are of 30,000 words with the frequencies of a language (Zipf); each question asks for words of a row that is there.
 */
export async function benchRecall(): Promise<unknown> {
  const directory = await mkdtemp(join(tmpdir(), 'strata-recall-'));
  const index = createWorkerIndex({ file: join(directory, 'index.db') });
  const tokenizer = createWorkerTokenizer();
  const embedder = createEmbedder({ config: embedderSchema.parse({}), env: {}, root: join(import.meta.dirname, '..') });
  try {
    const words = new Words();
    const pageSeconds = await timed(() => putPages(index, words));
    const turnSeconds = await timed(() => putTurns(index, words));
    const recall = (useVectors: boolean) =>
      createRecall({
        index,
        counter: new TokenCounter(tokenizer),
        clock: { now: () => at },
        embedder: useVectors ? embedder : undefined,
      });
    const lexical = await ask(recall(false), () => words.question());
    const filler = new VectorFiller({ index, embedder, now: () => at, log: () => undefined });
    let vectors = 0;
    const vectorSeconds = await timed(async () => {
      for (let filled = 1; filled > 0; vectors += filled) filled = await filler.fill();
    });
    const both = await ask(recall(true), () => words.question());
    const plain = await ask(recall(true), () => words.plainQuestion());
    return {
      p50_ms: percentile(both, 50),
      p95_ms: percentile(both, 95),
      lexical_p50_ms: percentile(lexical, 50),
      lexical_p95_ms: percentile(lexical, 95),
      plain_p50_ms: percentile(plain, 50),
      plain_p95_ms: percentile(plain, 95),
      pages,
      rows: (await index.state()).turns + pages * 3,
      pages_per_s: Math.round(pages / pageSeconds),
      turns_per_s: Math.round(turns / turnSeconds),
      vectors_per_s: Math.round(vectors / vectorSeconds),
      rss_mb: Math.round(process.memoryUsage().rss / 1e6),
    };
  } finally {
    await index.close();
    await tokenizer.close();
    await embedder?.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

async function ask(recall: ReturnType<typeof createRecall>, question: () => string): Promise<number[]> {
  return timeEach(questions, 10, async () =>
    recall.recall({
      query: question(),
      earlier: [],
      scope,
      sources: ['page', 'turn', 'checkpoint'],
      limit: 10,
      maxTokens: 2_000,
      itemTokens: 400,
      minScore: 0,
      includeInactive: false,
    }),
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryScope } from '../src-shared/model/memory-scope.ts';
import type { IndexedPage, IndexedTurn } from '../src-main/engine/ports/memory-index.ts';
import type { MemoryIndexWriter } from '../src-main/engine/ports/memory-index-writer.ts';
import { VectorFiller } from '../src-main/engine/memory/indexing/vector-filler.ts';
import { createRecall } from '../src-main/engine/recall/create-recall.ts';
import { TokenCounter } from '../src-main/engine/tokens/token-counter.ts';
import { createWorkerIndex } from '../src-main/index/create-worker-index.ts';
import { createEmbedder } from '../src-main/providers/embedder/create-embedder.ts';
import { createWorkerTokenizer } from '../src-main/providers/tokenizer/create-worker-tokenizer.ts';
import { embedderSchema } from '../src-shared/model/embedder-config.ts';
import { percentile, timeEach } from './percentile.ts';

const pages = 20_000;
const turns = 100_000;
const turnsPerSession = 500;
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
    const lexical = await ask(recall(false), words);
    const filler = new VectorFiller({ index, embedder, now: () => at, log: () => undefined });
    let vectors = 0;
    const vectorSeconds = await timed(async () => {
      for (let filled = 1; filled > 0; vectors += filled) filled = await filler.fill();
    });
    const both = await ask(recall(true), words);
    return {
      p50_ms: percentile(both, 50),
      p95_ms: percentile(both, 95),
      lexical_p50_ms: percentile(lexical, 50),
      lexical_p95_ms: percentile(lexical, 95),
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

const at = Date.parse('2026-11-01T12:00:00Z');

const scope: MemoryScope = {
  accountId: 'local',
  userId: 'default',
  agentId: 'main',
  sessionUid: 'session-0',
  otherSessions: true,
  access: 'all',
  labels: undefined,
};

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

async function ask(recall: ReturnType<typeof createRecall>, words: Words): Promise<number[]> {
  return timeEach(questions, 10, async () =>
    recall.recall({
      query: words.question(),
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

async function putPages(index: MemoryIndexWriter, words: Words): Promise<void> {
  for (let start = 0; start < pages; start += 64) {
    await index.putPages(
      Array.from({ length: Math.min(64, pages - start) }, (_, offset) => page(start + offset, words)),
    );
  }
}

function page(number: number, words: Words): IndexedPage {
  return {
    uri: `strata://user/default/memories/entities/page-${number}`,
    owner: {
      accountId: 'local',
      userId: 'default',
      agentId: undefined,
      sessionUid: undefined,
      visibility: 'private',
      labels: [],
    },
    kind: 'entity',
    status: 'active',
    pinned: false,
    title: words.text(3),
    aliases: [words.text(2)],
    tags: [],
    levels: { abstract: words.text(20), overview: words.text(80), text: words.text(200) },
    links: [
      { to: `strata://user/default/memories/entities/page-${(number * 7) % pages}`, type: 'mentions', origin: 'text' },
    ],
    contentHash: String(number),
    version: 1,
    updatedAt: at - number * 60_000,
  };
}

async function putTurns(index: MemoryIndexWriter, words: Words): Promise<void> {
  for (let start = 0; start < turns; start += turnsPerSession) {
    const sessionUid = `session-${start / turnsPerSession}`;
    const rows = Array.from({ length: turnsPerSession }, (_, offset): IndexedTurn => {
      const sequence = offset + 1;
      return {
        uri: `strata://session/default/${sessionUid}/turn/${sequence}`,
        source: 'turn',
        owner: {
          accountId: 'local',
          userId: 'default',
          agentId: 'main',
          sessionUid,
          visibility: 'private',
          labels: [],
        },
        sessionUid,
        epoch: 0,
        sequence,
        role: offset % 2 === 0 ? 'user' : 'assistant',
        speaker: '',
        at: at - (turns - start - offset) * 1_000,
        text: words.text(40),
      };
    });
    await index.putTurns(rows, { sessionUid, sequence: turnsPerSession, checkpoints: '' });
  }
}

/** Texts by a fixed sequence of numbers, so that every run has the same ones. */
class Words {
  readonly #cumulated: number[] = [];
  #seed = 1;
  #last: string[] = [];

  constructor(count = 30_000) {
    let sum = 0;
    for (let rank = 1; rank <= count; rank += 1) this.#cumulated.push((sum += 1 / rank));
  }

  text(length: number): string {
    const words = Array.from({ length }, () => this.#word());
    this.#last = words;
    return words.join(' ');
  }

  /** Five words of a text that was made last: common ones and rare ones, as they come. */
  question(): string {
    this.text(40);
    return `What about ${[...new Set(this.#last)].slice(0, 5).join(' ')}?`;
  }

  #word(): string {
    const wanted = this.#next() * (this.#cumulated.at(-1) ?? 1);
    let [low, high] = [0, this.#cumulated.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return names[low] ?? `word${low.toString(36)}`;
  }

  /** Park and Miller's generator. */
  #next(): number {
    this.#seed = (this.#seed * 48_271) % 0x7fffffff;
    return this.#seed / 0x7fffffff;
  }
}

/** The most frequent words are real ones, so that the small embedder knows some. */
const names: readonly string[] =
  'database server meeting project deploy review customer budget release schedule garden coffee travel family music paper school doctor winter summer bridge window orange silver mountain river market engine letter bottle'.split(
    ' ',
  );

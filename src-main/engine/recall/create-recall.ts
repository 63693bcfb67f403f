import type { RecallResult } from '../../../src-shared/model/recall.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { MemoryIndex } from '../ports/memory-index.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { Recall, RecallRequest } from '../ports/recall.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { gatherRows } from './gather-rows.ts';
import { packCandidates } from './pack-candidates.ts';
import { cacheKey, QueryCache } from './query-cache.ts';
import { rankCandidates } from './rank-candidates.ts';
import { readQuestion } from './read-question.ts';
import { recallWeights, type RecallWeights } from './recall-weights.ts';
import { RowWords } from './row-words.ts';
import type { Scored } from './scored-row.ts';
import { SearchParts } from './search-parts.ts';

export interface RecallParts {
  readonly index: MemoryIndex;
  /** Without one, words, names and links alone decide. */
  readonly embedder?: Embedder | undefined;
  readonly counter: Pick<TokenCounter, 'texts'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Says what took the place of a superseded page; without it that is not told. */
  readonly pages?: Pick<MemoryPages, 'find'> | undefined;
  readonly weights?: RecallWeights | undefined;
}

/** Search of memory (spec §10). Equal questions to an equal memory are answered equally. */
export function createRecall(parts: RecallParts): Recall {
  const { index, embedder, counter, clock, weights = recallWeights } = parts;
  const cache = new QueryCache();
  let book = new RowWords();
  return {
    recall: async (request) => {
      const started = performance.now();
      const now = clock.now();
      const search = new SearchParts(request.signal);
      const state = await search.run('state of the index', () => index.state(), undefined);
      const key = cacheKey(request, now, embedder?.id);
      const known = state && cache.find(key, state.generation);
      if (known) return { ...known, duration_ms: performance.now() - started };
      if (book.isFull) book = new RowWords();
      // Searches that go on keep the one they began with.
      const words = book;
      const question = readQuestion(request.query, request.earlier, now);
      const gathered = await gatherRows(question, request, { index, embedder, words, parts: search });
      const { candidates, worth } = rankCandidates(gathered, question, request, { weights, words, now });
      const abstracts = new Map(
        gathered.rows.flatMap(({ hit, text }) =>
          hit.source === 'page' && hit.level === 0 ? [[hit.uri, text] as const] : [],
        ),
      );
      const pinned = new Set(gathered.pinned.map(({ uri }) => uri));
      const successors = request.includeInactive
        ? await findSuccessors(candidates.slice(0, request.limit), parts.pages, search)
        : new Map<string, string>();
      const packed = await packCandidates(candidates, worth, request, {
        counter,
        weights,
        words,
        abstracts,
        pinned,
        successors,
      });
      const relation = gathered.relation?.shape === 'near' ? undefined : gathered.relation;
      const result: RecallResult = {
        query: request.query,
        intent: relation ? 'relation' : question.intent,
        ...(relation && {
          relation: {
            types: [...relation.types],
            anchors: relation.anchors.map(({ page }) => page.uri),
            hops: relation.hops,
          },
        }),
        terms: question.words.map(({ word }) => word),
        candidates: [...packed.candidates],
        considered: candidates.length,
        abstained: !packed.candidates.some((candidate) => candidate.packed),
        tokens: packed.tokens,
        from_cache: false,
        degraded: search.degraded,
        duration_ms: performance.now() - started,
      };
      if (state && search.degraded.length === 0) cache.keep(key, state.generation, result);
      return result;
    },
  };
}

async function findSuccessors(
  candidates: readonly Scored[],
  pages: RecallParts['pages'],
  search: SearchParts,
): Promise<ReadonlyMap<string, string>> {
  const superseded = candidates.filter(({ hit }) => hit.source === 'page' && hit.status === 'superseded');
  const found = superseded.map(async ({ hit }): Promise<[string, string][]> => {
    const page = await search.run('superseded pages', async () => pages?.find(hit.uri), undefined);
    return page?.superseded_by === undefined ? [] : [[hit.uri, page.superseded_by]];
  });
  return new Map((await Promise.all(found)).flat());
}

export type { Recall, RecallRequest };

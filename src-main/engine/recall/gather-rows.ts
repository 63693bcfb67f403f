import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { RecallSource } from '../../../src-shared/model/recall.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexHit, MemoryIndex } from '../ports/memory-index.ts';
import type { RecallRequest } from '../ports/recall.ts';
import { cosine } from './cosine.ts';
import { findNames, noNames, type NamesFound } from './find-names.ts';
import type { Question } from './read-question.ts';
import { answerRelations } from './relations/answer-relations.ts';
import { planRelations } from './relations/plan-relations.ts';
import type { RelationAnswer, RelationPlan } from './relations/relation-plan.ts';
import type { RowWords } from './row-words.ts';
import type { FoundRow } from './scored-row.ts';
import type { SearchParts } from './search-parts.ts';

/**
 * Rows that are taken from one search of the index, by how many candidates are asked for: each must be read, and those far
 * behind the ones that can be packed change nothing. A page has up to three rows.
 */
const rowsPerResult = 8;
const turnRows = { least: 120, most: 250 };
const pageRows = { least: 60, most: 150 };
const nearRows = { least: 60, most: 150 };
/** Turns whose neighbours are looked at as well; those behind them are too far down to lift others. */
const centres = { least: 16, most: 40 };
const mostPinned = 50;

export interface Gathered {
  readonly rows: readonly FoundRow[];
  readonly names: NamesFound;
  readonly relation: RelationPlan | undefined;
  readonly answers: readonly RelationAnswer[];
  readonly pinned: readonly IndexHit[];
  readonly frequencies: Awaited<ReturnType<MemoryIndex['frequencies']>> | undefined;
  readonly uses: Awaited<ReturnType<MemoryIndex['uses']>>;
}

interface Using {
  readonly index: MemoryIndex;
  readonly embedder: Embedder | undefined;
  readonly words: RowWords;
  readonly parts: SearchParts;
}

/** Everything that could answer the question, by words, vectors, names and links; each asked for once. */
export async function gatherRows(question: Question, request: RecallRequest, using: Using): Promise<Gathered> {
  const { index, parts } = using;
  const { scope } = request;
  const wantsPages = request.sources.includes('page');
  const others = request.sources.filter((source) => source !== 'page');
  const hasWords = question.words.length > 0;
  // The embedder may take long, or for ever: everything else goes on without it.
  const nearing = hasWords ? findNear(question, request, using) : Promise.resolve(noneNear);
  const isNear = settled(nearing);
  const [turnHits, pageHits, frequencies, names, relation, pinned] = await Promise.all([
    hasWords && others.length > 0 ? search(question, request, others, depth(turnRows, request), using) : [],
    hasWords && wantsPages ? search(question, request, ['page'], depth(pageRows, request), using) : [],
    hasWords
      ? parts.run(
          'frequencies',
          () =>
            index.frequencies(
              question.words.map(({ word }) => word),
              scope,
            ),
          undefined,
        )
      : undefined,
    hasWords && wantsPages ? parts.run('names', () => findNames(question.text, index, scope), noNames) : noNames,
    hasWords && wantsPages
      ? parts.run('relations', () => readRelation(question.text, index, scope), noRelation)
      : noRelation,
    wantsPages ? parts.run('pinned pages', () => index.pinned(scope, mostPinned), []) : [],
  ]);
  const rows = new RowCollector(request, using);
  rows.add([...turnHits, ...pageHits, ...names.named.map(({ page }) => page), ...pinned]);
  const linked = relation.answers.map(({ uri }) => uri).filter((uri) => !rows.hasPage(uri));
  const [neighbours, linkedRows] = await Promise.all([
    turnHits.length > 0 && others.includes('turn')
      ? parts.run(
          'neighbours',
          () => index.neighbours(placesOf(turnHits.slice(0, depth(centres, request))), 2, scope),
          [],
        )
      : [],
    linked.length > 0 ? parts.run('linked pages', () => index.rows(linked, scope), []) : [],
  ]);
  rows.add([...neighbours, ...linkedRows]);
  // Mostly it is here by now, and all texts are read at once.
  const near = await (isNear() ? nearing : Promise.all([nearing, rows.readTexts()]).then(([found]) => found));
  rows.add([...near.byRow.values()].map(({ hit }) => hit));
  const [uses] = await Promise.all([rows.readUses(), rows.readTexts(), rows.readVectors(near)]);
  return {
    rows: rows.found(near),
    names,
    relation: relation.plan,
    answers: relation.answers,
    pinned: pinned.filter((hit) => isAsked(hit, request)),
    frequencies,
    uses,
  };
}

/** Rows that were found so far, each once, and their texts. */
class RowCollector {
  readonly #request: RecallRequest;
  readonly #using: Using;
  readonly #hits = new Map<number, IndexHit>();
  readonly #texts = new Map<number, string>();
  #vectors: ReadonlyMap<number, Int8Array> = new Map();
  readonly #pages = new Set<string>();

  constructor(request: RecallRequest, using: Using) {
    this.#request = request;
    this.#using = using;
  }

  add(hits: readonly IndexHit[]): void {
    for (const hit of hits) {
      if (this.#hits.has(hit.rowId) || !isAsked(hit, this.#request)) continue;
      this.#hits.set(hit.rowId, hit);
      if (hit.source === 'page') this.#pages.add(hit.uri);
    }
  }

  hasPage(uri: string): boolean {
    return this.#pages.has(uri);
  }

  async readTexts(): Promise<void> {
    const { index, parts } = this.#using;
    const missing = [...this.#hits.keys()].filter((id) => !this.#texts.has(id));
    if (missing.length === 0) return;
    const texts = await parts.run('texts', () => index.texts(missing), new Map<number, string>());
    for (const [id, text] of texts) this.#texts.set(id, text);
  }

  async readVectors({ question }: Near): Promise<void> {
    const { index, embedder, parts } = this.#using;
    if (!embedder || !question) return;
    this.#vectors = await parts.run('vectors', () => index.vectors([...this.#hits.keys()], embedder.id), new Map());
  }

  readUses(): Promise<Gathered['uses']> {
    const { index, parts } = this.#using;
    const none: Gathered['uses'] = new Map();
    return this.#pages.size === 0 ? Promise.resolve(none) : parts.run('uses', () => index.uses([...this.#pages]), none);
  }

  found(near: Near): readonly FoundRow[] {
    return [...this.#hits.values()].flatMap((hit): FoundRow[] => {
      const text = this.#texts.get(hit.rowId);
      if (text === undefined) return [];
      const nearness = Math.max(0, (near.byRow.get(hit.rowId)?.score ?? 0) - near.floor);
      const vector = this.#vectors.get(hit.rowId);
      const similar = vector && near.question && cosine(vector, near.question);
      return [{ hit, text, words: this.#using.words.of(text), nearness, cosine: similar, vector }];
    });
  }
}

function depth({ least, most }: { readonly least: number; readonly most: number }, { limit }: RecallRequest): number {
  return Math.max(least, Math.min(most, limit * rowsPerResult));
}

function search(
  question: Question,
  request: RecallRequest,
  sources: readonly RecallSource[],
  limit: number,
  { index, parts }: Using,
): Promise<readonly IndexHit[]> {
  const { scope, kinds, includeInactive, signal } = request;
  const query = { scope, terms: question.terms, sources, includeInactive, limit, signal };
  return parts.run(
    sources.includes('page') ? 'search of pages' : 'search of turns',
    () => index.searchText(sources.includes('page') ? { ...query, kinds } : query),
    [],
  );
}

/** Says whether it has come. */
function settled(work: Promise<Near>): () => boolean {
  let isThere = false;
  void work.then(() => {
    isThere = true;
  });
  return () => isThere;
}

interface Near {
  /** Undefined where there are no vectors. */
  readonly question: Float32Array | undefined;
  readonly byRow: ReadonlyMap<number, { readonly hit: IndexHit; readonly score: number }>;
  /** Cosine of the farthest row: rows that were not found are no nearer. */
  readonly floor: number;
}

const noneNear: Near = { question: undefined, byRow: new Map(), floor: 0 };

async function findNear(question: Question, request: RecallRequest, { index, embedder, parts }: Using): Promise<Near> {
  if (!embedder) return noneNear;
  const { scope, kinds, includeInactive, signal, sources } = request;
  return parts.run(
    'vectors',
    async () => {
      const text = question.words.map(({ word }) => word).join(' ');
      const [vector] = await embedder.embed([text], signal);
      if (!vector) return noneNear;
      const query = {
        scope,
        vector,
        embedderId: embedder.id,
        includeInactive,
        limit: depth(nearRows, request),
        signal,
      };
      const others = sources.filter((source) => source !== 'page');
      // Awaited together: where the search is ended both fail, and each failure needs somebody who hears of it.
      const [pages, turns] = await Promise.all([
        sources.includes('page') ? index.searchVectors({ ...query, kinds, sources: ['page'] }) : [],
        others.length > 0 ? index.searchVectors({ ...query, sources: others }) : [],
      ]);
      const hits = [...pages, ...turns];
      const floor = hits.reduce((least, { score }) => Math.min(least, score), 1);
      return { question: vector, byRow: new Map(hits.map((hit) => [hit.rowId, { hit, score: hit.score }])), floor };
    },
    noneNear,
  );
}

interface Relation {
  readonly plan: RelationPlan | undefined;
  readonly answers: readonly RelationAnswer[];
}

const noRelation: Relation = { plan: undefined, answers: [] };

async function readRelation(query: string, index: MemoryIndex, scope: MemoryScope): Promise<Relation> {
  const plan = await planRelations(query, index, scope);
  return plan ? { plan, answers: await answerRelations(plan, index, scope) } : noRelation;
}

/** What the request leaves out is left out here, wherever it came from. */
function isAsked(hit: IndexHit, { kinds, exceptKinds, hidden, sources, includeInactive }: RecallRequest): boolean {
  if (!sources.includes(hit.source)) return false;
  if (hit.source === 'page') {
    if (kinds && !kinds.includes(hit.kind)) return false;
    if (exceptKinds?.includes(hit.kind) === true) return false;
  }
  if (!includeInactive && hit.status !== 'active') return false;
  const { sessionUid, sequence } = hit;
  return hidden?.every((past) => past.sessionUid !== sessionUid || (sequence ?? 0) > past.throughSequence) ?? true;
}

function placesOf(hits: readonly IndexHit[]): { readonly sessionUid: string; readonly sequence: number }[] {
  return hits.flatMap(({ source, sessionUid, sequence }) =>
    source === 'turn' && sessionUid !== undefined && sequence !== undefined ? [{ sessionUid, sequence }] : [],
  );
}

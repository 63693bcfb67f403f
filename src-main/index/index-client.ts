import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { IndexedPage, IndexedTurn, IndexState, MemoryIndex, TextQuery } from '../engine/ports/memory-index.ts';
import type { MemoryIndexWriter, NewVector, TurnMark } from '../engine/ports/memory-index-writer.ts';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import type { IndexAnswer, IndexArguments, IndexMethod } from './index-calls.ts';

/** How calls reach the index: directly, or as messages. */
export interface IndexLine {
  call<M extends IndexMethod>(method: M, args: IndexArguments<M>, signal?: AbortSignal): Promise<IndexAnswer<M>>;
  close(): Promise<void>;
  readonly note: () => string;
}

export interface Backlog {
  readonly waiting: number;
  readonly dead: number;
  /** Milliseconds since the epoch. */
  readonly oldest: number | null;
}

/** Pages that one message carries: a longer one would hold up the searches that come behind it. */
const pagesPerCall = 16;
const turnsPerCall = 64;

/** The port, whatever lies behind it. */
export class IndexClient implements MemoryIndexWriter {
  readonly #line: IndexLine;
  readonly #backlog: () => Backlog;

  constructor(line: IndexLine, backlog: () => Backlog) {
    this.#line = line;
    this.#backlog = backlog;
  }

  get note(): string {
    return this.#line.note();
  }

  searchText({ signal, ...query }: TextQuery): ReturnType<MemoryIndex['searchText']> {
    return this.#line.call('searchText', [query], signal);
  }

  searchVectors({
    signal,
    ...query
  }: Parameters<MemoryIndex['searchVectors']>[0]): ReturnType<MemoryIndex['searchVectors']> {
    return this.#line.call('searchVectors', [query], signal);
  }

  rows(uris: readonly string[], scope: MemoryScope): ReturnType<MemoryIndex['rows']> {
    return this.#line.call('rows', [uris, scope]);
  }

  texts(rowIds: readonly number[]): ReturnType<MemoryIndex['texts']> {
    return this.#line.call('texts', [rowIds]);
  }

  vectors(...args: Parameters<MemoryIndex['vectors']>): ReturnType<MemoryIndex['vectors']> {
    return this.#line.call('vectors', args);
  }

  neighbours(...args: Parameters<MemoryIndex['neighbours']>): ReturnType<MemoryIndex['neighbours']> {
    return this.#line.call('neighbours', args);
  }

  resolveNames(names: readonly string[], scope: MemoryScope): ReturnType<MemoryIndex['resolveNames']> {
    return this.#line.call('resolveNames', [names, scope]);
  }

  similarNames(names: readonly string[], scope: MemoryScope): ReturnType<MemoryIndex['similarNames']> {
    return this.#line.call('similarNames', [names, scope]);
  }

  pinned(scope: MemoryScope, limit: number): ReturnType<MemoryIndex['pinned']> {
    return this.#line.call('pinned', [scope, limit]);
  }

  links(...args: Parameters<MemoryIndex['links']>): ReturnType<MemoryIndex['links']> {
    return this.#line.call('links', args);
  }

  uses(uris: readonly string[]): ReturnType<MemoryIndex['uses']> {
    return this.#line.call('uses', [uris]);
  }

  noteUses(uris: readonly string[], at: number): Promise<void> {
    return this.#line.call('noteUses', [uris, at]);
  }

  frequencies(terms: readonly string[], scope: MemoryScope): ReturnType<MemoryIndex['frequencies']> {
    return this.#line.call('frequencies', [terms, scope]);
  }

  async state(): Promise<IndexState> {
    const indexed = await this.#line.call('state', []);
    const { waiting, dead, oldest } = this.#backlog();
    return { ...indexed, backlog: waiting, dead, oldest: oldest ?? undefined };
  }

  async putPages(pages: readonly IndexedPage[]): Promise<void> {
    for (let start = 0; start < pages.length; start += pagesPerCall) {
      await this.#line.call('putPages', [pages.slice(start, start + pagesPerCall)]);
    }
  }

  /** The mark comes with the last part: what was put before it is put again when it does not come. */
  async putTurns(turns: readonly IndexedTurn[], mark: TurnMark | undefined): Promise<void> {
    let start = 0;
    for (; start + turnsPerCall < turns.length; start += turnsPerCall) {
      await this.#line.call('putTurns', [turns.slice(start, start + turnsPerCall), undefined]);
    }
    await this.#line.call('putTurns', [turns.slice(start), mark]);
  }

  remove(uris: readonly string[]): Promise<void> {
    return this.#line.call('remove', [uris]);
  }

  erase(uris: readonly string[]): Promise<number> {
    return this.#line.call('erase', [uris]);
  }

  marks(): ReturnType<MemoryIndexWriter['marks']> {
    return this.#line.call('marks', []);
  }

  entries(after: string, limit: number): ReturnType<MemoryIndexWriter['entries']> {
    return this.#line.call('entries', [after, limit]);
  }

  pendingTexts(embedderId: string, limit: number): ReturnType<MemoryIndexWriter['pendingTexts']> {
    return this.#line.call('pendingTexts', [embedderId, limit]);
  }

  putVectors(
    embedder: { readonly id: string; readonly dimension: number },
    vectors: readonly NewVector[],
  ): Promise<number> {
    return this.#line.call('putVectors', [embedder, vectors]);
  }

  beginRebuild(): Promise<void> {
    return this.#line.call('beginRebuild', []);
  }

  async endRebuild(): Promise<void> {
    while (await this.#line.call('endRebuild', []));
  }

  forgetVectors(): Promise<void> {
    return this.#line.call('forgetVectors', []);
  }

  clear(): Promise<void> {
    return this.#line.call('clear', []);
  }

  fingerprint(): Promise<string> {
    return this.#line.call('fingerprint', []);
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}

export function queryAborted(): EngineError {
  return new EngineError('aborted', 'The search was given up before it began.');
}

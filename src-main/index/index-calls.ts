import { EngineError } from '../../src-shared/model/engine-error.ts';
import { openIndexFile } from './open-index-file.ts';
import { SqliteMemoryIndex } from './sqlite-memory-index.ts';
import { toIndexError } from './to-index-error.ts';

/** What may be asked of an index, in the worker or beside the caller. */
export type IndexCalls = Omit<SqliteMemoryIndex, 'close' | 'load' | 'loadVectors' | 'isLoaded' | 'hasVectors'>;
export type IndexMethod = keyof IndexCalls;
export type IndexArguments<M extends IndexMethod> = Parameters<IndexCalls[M]>;
export type IndexAnswer<M extends IndexMethod> = ReturnType<IndexCalls[M]>;

/** Written calls wait behind reading ones: an index that is being filled still answers. */
export const readingMethods: ReadonlySet<IndexMethod> = new Set<IndexMethod>([
  'searchText',
  'searchVectors',
  'rows',
  'texts',
  'vectors',
  'neighbours',
  'resolveNames',
  'similarNames',
  'pinned',
  'links',
  'uses',
  'frequencies',
  'state',
]);

/** An open file and calls on it. */
export class IndexDesk {
  readonly note: string;
  readonly #index: SqliteMemoryIndex;

  /** @throws EngineError `store_failed` */
  constructor(file: string, now: number) {
    const { db, note } = openIndexFile(file, now);
    this.note = note;
    this.#index = new SqliteMemoryIndex(db);
  }

  get isLoaded(): boolean {
    return this.#index.isLoaded && this.#index.hasVectors;
  }

  /** A piece of what searches keep in memory; takes some milliseconds. @throws EngineError */
  load(): void {
    try {
      if (!this.#index.isLoaded) this.#index.load();
      else this.#index.loadVectors();
    } catch (error) {
      throw toIndexError(error);
    }
  }

  /** @throws EngineError */
  call<M extends IndexMethod>(method: M, args: IndexArguments<M>): IndexAnswer<M> {
    try {
      // The arguments belong to this very method; the compiler does not follow that through the table.
      const run = this.#index[method] as (...given: IndexArguments<M>) => IndexAnswer<M>;
      return run.apply(this.#index, args);
    } catch (error) {
      throw toIndexError(error);
    }
  }

  close(): void {
    this.#index.close();
  }
}

export function indexClosed(): EngineError {
  return new EngineError('shutting_down', 'The index is closed: Strata is stopping. Try again when it runs.');
}

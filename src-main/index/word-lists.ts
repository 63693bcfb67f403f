import type Database from 'better-sqlite3';

/** Which of the two full-text tables. */
export type Corpus = 'page' | 'turn';

/** One place of a word: the row, and the column by its position. */
export interface Place {
  readonly id: number;
  readonly column: number;
}

const columns = { title: 0, aliases: 1, body: 2 } as const;

/** The lists of rows behind each word, as the full-text tables keep them: for as long as memory does not have them. */
export class WordLists {
  readonly #counts: Record<Corpus, Database.Statement<[string], number>>;
  readonly #places: Record<Corpus, Database.Statement<[string], [number, string]>>;
  readonly #rows: Record<Corpus, Database.Statement<[string], number>>;

  constructor(db: Database.Database) {
    const each = <T>(make: (corpus: Corpus) => T): Record<Corpus, T> => ({ page: make('page'), turn: make('turn') });
    this.#counts = each((of) =>
      db.prepare<[string], number>(`SELECT doc FROM temp.${of}_words WHERE term = ?`).pluck(),
    );
    this.#places = each((of) =>
      db.prepare<[string], [number, string]>(`SELECT doc, col FROM temp.${of}_places WHERE term = ?`).raw(),
    );
    this.#rows = each((of) =>
      db.prepare<[string], number>(`SELECT rowid FROM ${of}_text WHERE ${of}_text MATCH ?`).pluck(),
    );
  }

  /** In how many rows a stem occurs. */
  count(corpus: Corpus, stem: string): number {
    return this.#counts[corpus].get(stem) ?? 0;
  }

  /** Every place of a stem, in order of row. */
  *places(corpus: Corpus, stem: string): Iterable<Place> {
    for (const [id, name] of this.#places[corpus].iterate(stem)) {
      yield { id, column: columns[name as keyof typeof columns] };
    }
  }

  /** Rows that have a word, in order; four times as fast as its places. */
  rows(corpus: Corpus, word: string): readonly number[] {
    return this.#rows[corpus].all(`"${word.replaceAll('"', '')}"`);
  }
}

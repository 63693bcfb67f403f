import type Database from 'better-sqlite3';

/** What a statement takes: values by position, or one object of values by name. */
type Parameters = unknown[];

export interface Query<P extends Parameters, Row> {
  get(...parameters: P): Row | undefined;
  all(...parameters: P): Row[];
}

export interface Command<P extends Parameters> {
  run(...parameters: P): { readonly changes: number; readonly rowid: number };
}

/** What may be done where nothing may change. */
export interface ReadConnection {
  query<P extends Parameters, Row>(sql: string): Query<P, Row>;
  /** All queries inside see the same state of the database. */
  snapshot<T>(work: () => T): T;
  /** First column of the first row. */
  pragma(statement: string): unknown;
  close(): void;
}

export interface WriteConnection extends ReadConnection {
  command<P extends Parameters>(sql: string): Command<P>;
  /** Several statements without parameters. */
  script(sql: string): void;
  /** Takes the write lock first, so that what is read inside is still true when it writes. */
  transaction<T>(work: () => T): T;
  /** Copies the database page by page while it is in use. */
  copyTo(path: string): Promise<void>;
}

/** better-sqlite3 behind the two handle types. */
export class SqliteConnection implements WriteConnection {
  readonly #db: Database.Database;
  /** Made once: each makes four functions. */
  readonly #inTransaction: Database.Transaction<(work: () => unknown) => unknown>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#inTransaction = db.transaction((work) => work());
  }

  query<P extends Parameters, Row>(sql: string): Query<P, Row> {
    return this.#db.prepare<P, Row>(sql);
  }

  command<P extends Parameters>(sql: string): Command<P> {
    const statement = this.#db.prepare<P>(sql);
    return {
      run: (...parameters) => {
        const { changes, lastInsertRowid } = statement.run(...parameters);
        return { changes, rowid: Number(lastInsertRowid) };
      },
    };
  }

  script(sql: string): void {
    this.#db.exec(sql);
  }

  snapshot<T>(work: () => T): T {
    // What it answers is what `work` gave.
    return this.#inTransaction.deferred(work) as T;
  }

  transaction<T>(work: () => T): T {
    return this.#inTransaction.immediate(work) as T;
  }

  async copyTo(path: string): Promise<void> {
    await this.#db.backup(path);
  }

  pragma(statement: string): unknown {
    return this.#db.pragma(statement, { simple: true });
  }

  close(): void {
    this.#db.close();
  }
}

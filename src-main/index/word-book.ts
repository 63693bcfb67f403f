import type Database from 'better-sqlite3';

/**
 * Numbers of the stems that occur in the index. Stems are made by the tokenizer of the full-text tables itself, so that
 * both mean the same by a word; a word is asked for once and then known.
 */
export class WordBook {
  readonly #db: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #ids = new Map<string, number>();
  readonly #stems = new Map<string, readonly string[]>();
  /** By word: the numbers of its stems. */
  readonly #numbers = new Map<string, readonly number[]>();
  #isLoaded = false;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#statements = prepare(db);
  }

  /** The forms in which the full-text tables keep a word: mostly one, none of a mark, several where they cut it. */
  stemsOf(word: string): readonly string[] {
    const known = this.#stems.get(word);
    if (known) return known;
    this.#statements.addWord.run(word);
    const stems = this.#statements.stems.all();
    this.#statements.removeWord.run();
    if (this.#stems.size >= mostKnown) this.#stems.clear();
    this.#stems.set(word, stems);
    return stems;
  }

  /** Undefined: no row has it. */
  find(stem: string): number | undefined {
    this.#load();
    return this.#ids.get(stem);
  }

  /** Numbers of a word's stems, made where there are none; within the transaction of the row that has it. */
  idsOf(word: string): readonly number[] {
    const known = this.#numbers.get(word);
    if (known) return known;
    const ids = this.stemsOf(word).map((stem) => this.#idOf(stem));
    if (this.#numbers.size >= mostKnown) this.#numbers.clear();
    this.#numbers.set(word, ids);
    return ids;
  }

  #idOf(stem: string): number {
    const known = this.find(stem);
    if (known !== undefined) return known;
    const id = Number(this.#statements.addStem.run(stem).lastInsertRowid);
    this.#ids.set(stem, id);
    return id;
  }

  /** Stems that no row has any more are forgotten, in the file as well; within a transaction. */
  drop(isUsed: (id: number) => boolean): void {
    this.#load();
    for (const [stem, id] of this.#ids) {
      if (isUsed(id)) continue;
      this.#statements.removeStem.run(id);
      this.#ids.delete(stem);
    }
    this.#stems.clear();
    this.#numbers.clear();
    // The tokenizer's own table is in memory, and holds what it was asked until its parts are merged.
    this.#db.exec("INSERT INTO temp.stemmer (stemmer) VALUES ('delete-all')");
  }

  /** After a transaction that came to nothing, or a write by another process. */
  forget(): void {
    this.#ids.clear();
    this.#numbers.clear();
    this.#isLoaded = false;
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    for (const [id, stem] of this.#statements.all.iterate()) this.#ids.set(stem, id);
  }
}

const mostKnown = 100_000;

function prepare(db: Database.Database) {
  return {
    addWord: db.prepare<[string]>('INSERT INTO temp.stemmer (rowid, word) VALUES (1, ?)'),
    removeWord: db.prepare<[]>('DELETE FROM temp.stemmer WHERE rowid = 1'),
    stems: db.prepare<[], string>('SELECT term FROM temp.cut').pluck(),
    all: db.prepare<[], [number, string]>('SELECT id, stem FROM main.stems').raw(),
    addStem: db.prepare<[string]>('INSERT INTO main.stems (stem) VALUES (?)'),
    removeStem: db.prepare<[number]>('DELETE FROM main.stems WHERE id = ?'),
  };
}

import type Database from 'better-sqlite3';

/** What a search needs to know of each row while it counts, without asking the database for it. */
export interface MirroredRow {
  readonly id: number;
  readonly ownerId: number;
  /** Position in `sources`. */
  readonly source: number;
  readonly level: number;
  readonly isActive: boolean;
  readonly kind: string;
  readonly length: number;
}

export interface RowFilter {
  readonly owners: Uint8Array;
  /** Positions in `sources`. */
  readonly sources: readonly number[];
  /** Of pages. */
  readonly kinds: readonly string[] | undefined;
  readonly includeInactive: boolean;
}

/**
 * Fields of all rows in arrays by row id: some 10 bytes a row. A look-up of a row in the database costs a microsecond, and
 * a word may be in fifty thousand. What is answered is read from the database, with the scope, all the same.
 */
export class RowMirror {
  readonly #kinds = new Map<string, number>();
  #owners = new Uint32Array(1_024);
  #marks = new Uint8Array(1_024);
  #kindOf = new Uint16Array(1_024);
  #lengths = new Uint32Array(1_024);
  /** Of pages, and of turns and checkpoints: rows and the sum of their lengths. */
  readonly #totals = { page: { rows: 0, words: 0 }, turn: { rows: 0, words: 0 } };
  /** Rows of each owner; an owner has either pages, or turns and checkpoints. */
  readonly #rowsOf = { page: new Map<number, number>(), turn: new Map<number, number>() };
  #pages = 0;
  #turns = 0;
  /** Filters by owners; good until a row changes. */
  #wanted = new WeakMap<Uint8Array, Map<string, Uint8Array>>();

  load(db: Database.Database): void {
    for (const array of [this.#owners, this.#marks, this.#kindOf, this.#lengths]) array.fill(0);
    Object.assign(this.#totals.page, { rows: 0, words: 0 });
    Object.assign(this.#totals.turn, { rows: 0, words: 0 });
    this.#rowsOf.page.clear();
    this.#rowsOf.turn.clear();
    this.#pages = 0;
    this.#turns = 0;
    const rows = db.prepare<[], [number, number, number, number, string, string, number]>(
      'SELECT id, owner_id, source, level, status, kind, length FROM rows',
    );
    for (const [id, ownerId, source, level, status, kind, length] of rows.raw().iterate()) {
      this.put({ id, ownerId, source, level, isActive: status === 'active', kind, length });
    }
  }

  put(row: MirroredRow): void {
    this.remove(row.id);
    this.#wanted = new WeakMap();
    this.#grow(row.id + 1);
    this.#owners[row.id] = row.ownerId;
    this.#marks[row.id] = present | (row.isActive ? active : 0) | (row.source << 2) | (row.level << 4);
    this.#kindOf[row.id] = this.#kindNumber(row.kind);
    this.#lengths[row.id] = row.length;
    this.#count(row.id, 1);
  }

  remove(id: number): void {
    const marks = this.#marks[id] ?? 0;
    if ((marks & present) === 0) return;
    this.#wanted = new WeakMap();
    this.#count(id, -1);
    this.#marks[id] = 0;
  }

  /** Pages, by their rows of level 2. */
  get pages(): number {
    return this.#pages;
  }

  get turns(): number {
    return this.#turns;
  }

  /** Rows of owners that have a 1 in the list. */
  countOf(of: 'page' | 'turn', owners: Uint8Array): number {
    let count = 0;
    for (const [owner, rows] of this.#rowsOf[of]) if (owners[owner] === 1) count += rows;
    return count;
  }

  totals(of: 'page' | 'turn'): { readonly rows: number; readonly words: number } {
    return this.#totals[of];
  }

  lengthOf(id: number): number {
    return this.#lengths[id] ?? 0;
  }

  /** The corpus of a row that is there. */
  isPage(id: number): boolean {
    return (((this.#marks[id] ?? 0) >> 2) & 3) === 0;
  }

  /**
   * A 1 at each row that a query may look at; at 0, which is no row, none.
   * @param query.owners has a 1 for each owner that the scope may see
   */
  wanted(query: RowFilter): Uint8Array {
    const sourceMask = query.sources.reduce((mask, source) => mask | (1 << source), 0);
    const kinds = query.kinds && [...query.kinds].sort();
    const key = JSON.stringify([sourceMask, kinds, query.includeInactive]);
    const known = this.#wanted.get(query.owners)?.get(key);
    if (known) return known;
    const wanted = this.#filter(query, sourceMask);
    const ofOwners = this.#wanted.get(query.owners) ?? new Map<string, Uint8Array>();
    // Labels and kinds make many filters; each is a byte for every row.
    if (ofOwners.size >= mostFilters) ofOwners.clear();
    ofOwners.set(key, wanted);
    this.#wanted.set(query.owners, ofOwners);
    return wanted;
  }

  #filter({ owners, kinds, includeInactive }: RowFilter, sourceMask: number): Uint8Array {
    const [marks, ownerOf, kindOf] = [this.#marks, this.#owners, this.#kindOf];
    const wanted = new Uint8Array(marks.length);
    const needed = includeInactive ? present : present | active;
    const wantedKinds = kinds && new Set(kinds.map((kind) => this.#kinds.get(kind) ?? -1));
    for (let id = 1; id < marks.length; id += 1) {
      const mark = marks[id] ?? 0;
      if ((mark & needed) !== needed) continue;
      const source = (mark >> 2) & 3;
      if (((sourceMask >> source) & 1) === 0 || owners[ownerOf[id] ?? 0] !== 1) continue;
      if (wantedKinds && source === 0 && !wantedKinds.has(kindOf[id] ?? -1)) continue;
      wanted[id] = 1;
    }
    return wanted;
  }

  #count(id: number, by: 1 | -1): void {
    const marks = this.#marks[id] ?? 0;
    const source = (marks >> 2) & 3;
    const of = source === 0 ? 'page' : 'turn';
    const owner = this.#owners[id] ?? 0;
    this.#totals[of].rows += by;
    this.#totals[of].words += by * this.lengthOf(id);
    this.#rowsOf[of].set(owner, (this.#rowsOf[of].get(owner) ?? 0) + by);
    if (source === 0 && marks >> 4 === 2) this.#pages += by;
    if (source === 1) this.#turns += by;
  }

  #kindNumber(kind: string): number {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const number = this.#kinds.size;
    this.#kinds.set(kind, number);
    return number;
  }

  #grow(size: number): void {
    if (size <= this.#marks.length) return;
    const capacity = Math.max(size, this.#marks.length * 2);
    const owners = new Uint32Array(capacity);
    const marks = new Uint8Array(capacity);
    const kindOf = new Uint16Array(capacity);
    const lengths = new Uint32Array(capacity);
    owners.set(this.#owners);
    marks.set(this.#marks);
    kindOf.set(this.#kindOf);
    lengths.set(this.#lengths);
    this.#owners = owners;
    this.#marks = marks;
    this.#kindOf = kindOf;
    this.#lengths = lengths;
  }
}

const mostFilters = 8;
const present = 1;
const active = 2;

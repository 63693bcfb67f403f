import type Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import { foldName } from '../engine/memory/indexing/fold-name.ts';
import type { IndexHit, IndexState, MemoryIndex, TextQuery } from '../engine/ports/memory-index.ts';
import type { IndexedPage, IndexedTurn } from '../engine/ports/memory-index.ts';
import type { IndexEntry, NewVector, PendingText, TurnMark } from '../engine/ports/memory-index-writer.ts';
import { HitReader } from './hit-reader.ts';
import { sources } from './index-schema.ts';
import { Owners } from './owners.ts';
import { PageLinks, type ResolvedLink } from './page-links.ts';
import { RowMirror } from './row-mirror.ts';
import { RowWriter, type RowChange } from './row-writer.ts';
import { Postings, type WeightedWord } from './postings.ts';
import type { ColumnCounts } from './row-word-counts.ts';
import { scoreRows } from './text-search.ts';
import { SimilarNames } from './similar-names.ts';
import { VectorStore } from './vector-store.ts';
import { WordBook } from './word-book.ts';
import { WordLists, type Corpus } from './word-lists.ts';

type VectorQuery = Parameters<MemoryIndex['searchVectors']>[0];

const defaultWeights: ColumnCounts = { title: 2, aliases: 2, body: 1 };
/** Terms of one query; more come only from pasted texts. The first ones are taken. */
const mostTerms = 200;

/** The index on one connection, on the thread that calls it. */
export class SqliteMemoryIndex {
  readonly #db: Database.Database;
  readonly #mirror = new RowMirror();
  readonly #owners: Owners;
  readonly #writer: RowWriter;
  readonly #hits: HitReader;
  readonly #links: PageLinks;
  readonly #similar: SimilarNames;
  readonly #lists: WordLists;
  readonly #book: WordBook;
  readonly #vectors: VectorStore;
  readonly #statements: ReturnType<typeof prepare>;
  #postings = { page: new Postings(), turn: new Postings() };
  /** Words of rows up to this one are in memory; undefined: all are. */
  #loadedThrough: number | undefined = 0;
  /** SQLite's count of changes by other connections. */
  #dataVersion: unknown;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#owners = new Owners(db);
    this.#book = new WordBook(db);
    this.#writer = new RowWriter(db, this.#owners, this.#book);
    this.#hits = new HitReader(db, this.#owners);
    this.#links = new PageLinks(db, this.#owners);
    this.#similar = new SimilarNames(db, this.#owners);
    this.#lists = new WordLists(db);
    this.#vectors = new VectorStore(db);
    this.#statements = prepare(db);
    this.#reload();
  }

  /** False while searches read the full-text tables, which takes some hundred times as long and finds the same. */
  get isLoaded(): boolean {
    return this.#loadedThrough === undefined;
  }

  get hasVectors(): boolean {
    return this.#vectors.isLoaded;
  }

  /** Takes the words of the next rows into memory: some milliseconds. */
  load(): void {
    this.#read(() => {
      if (this.#loadedThrough === undefined) return;
      const rows = this.#statements.wordsAfter.all(this.#loadedThrough, rowsPerLoad);
      for (const [id, words] of rows) this.#postingsOf(id).add(id, this.#mirror.lengthOf(id), words);
      this.#loadedThrough = rows.length < rowsPerLoad ? undefined : rows.at(-1)?.[0];
    });
  }

  /** As `load`, for the vectors: until they are there, searches by vectors find a part. */
  loadVectors(): void {
    this.#read(() => {
      this.#vectors.loadMore(rowsPerLoad);
    });
  }

  searchText(query: TextQuery): IndexHit[] {
    return this.#read(() => {
      if (query.limit < 1) return [];
      const isWanted = this.#wanted(query);
      const weights = query.weights ?? defaultWeights;
      const stems = this.#stemsOf(query.terms);
      const words = [...stems].flatMap(([stem, weight]): WeightedWord[] => {
        const id = this.#book.find(stem);
        return id === undefined ? [] : [{ id, weight }];
      });
      const scores = new Map<number, number>();
      for (const corpus of corporaOf(query.sources)) {
        const found = this.isLoaded
          ? this.#postings[corpus].best(words, weights, isWanted, query.limit)
          : scoreRows({ lists: this.#lists, mirror: this.#mirror }, corpus, stems, weights, isWanted);
        for (const [id, score] of found) scores.set(id, score);
      }
      return this.#answer(scores, query);
    });
  }

  searchVectors(query: VectorQuery): IndexHit[] {
    return this.#read(() => this.#answer(this.#vectors.nearest(query, this.#wanted(query)), query));
  }

  rows(uris: readonly string[], scope: MemoryScope): IndexHit[] {
    return this.#read(() => this.#hits.byUri(uris, scope));
  }

  texts(rowIds: readonly number[]): Map<number, string> {
    return this.#read(() => new Map(this.#statements.texts.all(JSON.stringify(rowIds))));
  }

  vectors(rowIds: readonly number[], embedderId: string): Map<number, Int8Array> {
    return this.#read(() => this.#vectors.of(rowIds, embedderId));
  }

  neighbours(
    turns: readonly { readonly sessionUid: string; readonly sequence: number }[],
    distance: number,
    scope: MemoryScope,
  ): IndexHit[] {
    return this.#read(() => {
      const asked = new Set(turns.map(({ sessionUid, sequence }) => `${sequence} ${sessionUid}`));
      const ranges = turns.map(({ sessionUid, sequence }) => ({
        uid: sessionUid,
        from: sequence - distance,
        to: sequence + distance,
      }));
      const found = this.#hits.around(ranges, scope);
      return found.filter(({ sessionUid, sequence }) => !asked.has(`${sequence} ${sessionUid}`));
    });
  }

  resolveNames(names: readonly string[], scope: MemoryScope): Map<string, readonly IndexHit[]> {
    return this.#read(() => {
      const folded = new Map(names.map((name) => [name, foldName(name)]));
      const found = this.#hits.byName([...folded.values()], scope);
      return new Map([...folded].map(([name, fold]) => [name, found.get(fold) ?? []]));
    });
  }

  similarNames(
    names: readonly string[],
    scope: MemoryScope,
  ): Map<string, readonly { readonly name: string; readonly pages: readonly IndexHit[] }[]> {
    return this.#read(() => {
      const similar = new Map(names.map((name) => [name, this.#similar.of(foldName(name), scope)]));
      const pages = this.#hits.byName([...similar.values()].flat(), scope);
      return new Map(
        [...similar].map(([name, others]) => [
          name,
          others.map((other) => ({ name: other, pages: pages.get(other) ?? [] })),
        ]),
      );
    });
  }

  pinned(scope: MemoryScope, limit: number): IndexHit[] {
    return this.#read(() => this.#hits.pinned(scope, limit));
  }

  links(
    uris: readonly string[],
    direction: 'out' | 'in',
    scope: MemoryScope,
    types?: readonly string[],
  ): ResolvedLink[] {
    return this.#read(() => this.#links.of(uris, direction, scope, types));
  }

  uses(uris: readonly string[]): Map<string, { readonly count: number; readonly last: number }> {
    const rows = this.#statements.uses.all(JSON.stringify(uris));
    return new Map(rows.map(({ uri, count, last }) => [uri, { count, last }]));
  }

  /** Counts of use change the order of what is found, not what there is: they are no part of the generation. */
  noteUses(uris: readonly string[], at: number): void {
    this.#db.transaction(() => {
      for (const uri of new Set(uris)) this.#statements.noteUse.run(uri, at);
    })();
  }

  frequencies(terms: readonly string[], scope: MemoryScope): { total: number; byTerm: Map<string, number> } {
    return this.#read(() => {
      const isWanted = this.#wanted({ scope, sources, includeInactive: true });
      const owners = this.#owners.allowed(scope);
      const total = this.#mirror.countOf('page', owners) + this.#mirror.countOf('turn', owners);
      const byTerm = new Map(terms.map((term) => [term, this.#frequencyOf(term, isWanted)]));
      return { total, byTerm };
    });
  }

  /** Without what waits in the outbox. */
  state(): Omit<IndexState, 'backlog' | 'dead' | 'oldest'> {
    return this.#read(() => ({
      pages: this.#mirror.pages,
      turns: this.#mirror.turns,
      vectors: this.#vectors.count,
      embedder: this.#vectors.embedder?.id,
      dimension: this.#vectors.embedder?.dimension,
      generation: Number(this.#statements.getMeta.get('generation') ?? 0),
    }));
  }

  putPages(pages: readonly IndexedPage[]): void {
    this.#write(() => pages.flatMap((page) => this.#writer.putPage(page)));
  }

  putTurns(turns: readonly IndexedTurn[], mark: TurnMark | undefined): void {
    this.#write(() => {
      if (mark) this.#statements.putMark.run(mark.sessionUid, mark.sequence, mark.checkpoints);
      return turns.flatMap((turn) => this.#writer.putTurn(turn));
    });
  }

  /** What is put from now on belongs to a new building of the index: `endRebuild` removes the rest. */
  beginRebuild(): void {
    this.#write(() => {
      this.#statements.nextRound.run();
      this.#db.exec('DELETE FROM marks');
      return [];
    });
  }

  /** Removes some of the rows that were not put since `beginRebuild`; answers whether there are more. */
  endRebuild(): boolean {
    let more = false;
    this.#write(() => {
      const stale = this.#statements.stale.all(stalePerCall);
      more = stale.length === stalePerCall;
      return stale.flatMap((uri) => this.#writer.remove(uri));
    });
    return more;
  }

  /** All texts wait for a vector again. */
  forgetVectors(): void {
    this.#write(() => {
      this.#vectors.clear();
      return [];
    });
  }

  remove(uris: readonly string[]): void {
    this.#write(() => uris.flatMap((uri) => this.#writer.remove(uri)));
  }

  erase(uris: readonly string[]): number {
    while (!this.isLoaded) this.load();
    let count = 0;
    this.#write(() => {
      const changes = uris.flatMap((uri) => this.#writer.remove(uri));
      for (const uri of uris) this.#statements.forgetUses.run(uri);
      count = changes.length;
      return changes;
    });
    const { page, turn } = this.#postings;
    this.#write(() => {
      this.#book.drop((id) => page.count(id) + turn.count(id) > 0);
      return [];
    });
    // Words of removed rows stay in the full-text tables until their parts are merged, whatever `secure-delete` says:
    // that is for tables which keep no tombstones.
    for (const corpus of ['page', 'turn'])
      this.#db.exec(`INSERT INTO ${corpus}_text (${corpus}_text) VALUES ('optimize')`);
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    return count;
  }

  marks(): TurnMark[] {
    return this.#statements.marks.all();
  }

  entries(after: string, limit: number): IndexEntry[] {
    return this.#statements.entries.all(after, limit);
  }

  pendingTexts(embedderId: string, limit: number): PendingText[] {
    return this.#vectors.pending(embedderId, limit);
  }

  putVectors(embedder: { readonly id: string; readonly dimension: number }, vectors: readonly NewVector[]): number {
    let count = 0;
    this.#write(() => {
      count = this.#vectors.put(embedder, vectors);
      return [];
    });
    return count;
  }

  clear(): void {
    this.#write(() => {
      this.#db.exec(`
        DELETE FROM rows; DELETE FROM texts; DELETE FROM words; DELETE FROM stems; DELETE FROM owners; DELETE FROM names; DELETE FROM links;
        DELETE FROM link_targets; DELETE FROM vectors; DELETE FROM marks; DELETE FROM meta WHERE key IN ('embedder', 'round');
        INSERT INTO page_text (page_text) VALUES ('delete-all'); INSERT INTO turn_text (turn_text) VALUES ('delete-all');`);
      return [];
    });
    this.#reload();
  }

  fingerprint(): string {
    return this.#read(() => {
      const digest = createHash('sha256');
      for (const sql of contents) {
        for (const row of this.#db.prepare<[], unknown[]>(sql).raw().iterate())
          digest.update(`${JSON.stringify(row)}\n`);
      }
      return digest.digest('hex');
    });
  }

  close(): void {
    if (!this.#db.open) return;
    this.#db.pragma('optimize');
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }

  /** Best first, equal ones by URI and level; from the database, where the scope is asked once more. */
  #answer(scores: ReadonlyMap<number, number>, query: Pick<TextQuery, 'scope' | 'limit'>): IndexHit[] {
    if (query.limit < 1) return [];
    // Those that are as good as the last one may come before it by their URI. Numbers alone are sorted many times faster.
    const sorted = Float64Array.from(scores.values()).sort();
    const last = sorted[Math.max(0, sorted.length - query.limit)] ?? -Infinity;
    const best: [number, number][] = [];
    for (const [id, score] of scores) if (score >= last) best.push([id, score]);
    const heads = this.#hits.byId(
      best.map(([id]) => id),
      query.scope,
    );
    return best
      .flatMap(([id, score]) => {
        const head = heads.get(id);
        return head ? [{ ...head, score }] : [];
      })
      .sort((one, other) => other.score - one.score || compare(one.uri, other.uri) || other.level - one.level)
      .slice(0, query.limit);
  }

  #wanted(query: Pick<TextQuery, 'scope' | 'sources' | 'kinds' | 'includeInactive'>): Uint8Array {
    return this.#mirror.wanted({
      owners: this.#owners.allowed(query.scope),
      sources: query.sources.map((source) => sources.indexOf(source)),
      kinds: query.kinds,
      includeInactive: query.includeInactive,
    });
  }

  /** Different words of one stem count once, with the largest of their weights. */
  #stemsOf(terms: TextQuery['terms']): Map<string, number> {
    const stems = new Map<string, number>();
    for (const { term, weight } of terms.slice(0, mostTerms)) {
      if (weight <= 0) continue;
      for (const stem of this.#book.stemsOf(term)) stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
    }
    return stems;
  }

  #frequencyOf(term: string, isWanted: Uint8Array): number {
    const stems = this.#book.stemsOf(term);
    if (stems.length === 0) return 0;
    let count = 0;
    for (const corpus of ['page', 'turn'] as const) {
      if (!this.isLoaded) count += this.#lists.rows(corpus, term).filter((id) => isWanted[id] === 1).length;
      else {
        const counts = stems.map((stem) => this.#postings[corpus].countAmong(this.#book.find(stem) ?? 0, isWanted));
        count += Math.min(...counts);
      }
    }
    return count;
  }

  #postingsOf(id: number): Postings {
    return this.#postings[this.#mirror.isPage(id) ? 'page' : 'turn'];
  }

  /** One consistent view; what another process wrote since is taken into the mirrors first. */
  #read<T>(work: () => T): T {
    try {
      return this.#db.transaction(() => {
        const version = this.#db.pragma('data_version', { simple: true });
        if (version !== this.#dataVersion) this.#reload();
        return work();
      })();
    } catch (error) {
      // What is kept of scopes went back with the transaction.
      this.#owners.forget();
      throw error;
    }
  }

  #write(work: () => readonly RowChange[]): void {
    let changes: readonly RowChange[];
    try {
      changes = this.#db
        .transaction(() => {
          const made = work();
          this.#statements.countGeneration.run();
          return made;
        })
        .immediate();
    } catch (error) {
      // Whatever was noted of what is not there now. The other mirrors follow what was written for good.
      this.#owners.forget();
      this.#book.forget();
      this.#vectors.load();
      throw error;
    }
    for (const change of changes) this.#mirrorChange(change);
  }

  #mirrorChange(change: RowChange): void {
    const id = change.op === 'put' ? change.row.id : change.id;
    const isLoaded = this.#loadedThrough === undefined || id <= this.#loadedThrough;
    if (change.op === 'remove') {
      if (change.words && isLoaded) this.#postingsOf(id).remove(id, change.words);
      this.#mirror.remove(id);
      this.#vectors.forget(id);
      return;
    }
    this.#mirror.put(change.row);
    if (!change.isSameText) this.#vectors.forget(id);
    if (!change.words || !isLoaded) return;
    const { before, now } = change.words;
    if (before) this.#postingsOf(id).remove(id, before);
    this.#postingsOf(id).add(id, change.row.length, now);
  }

  #reload(): void {
    this.#dataVersion = this.#db.pragma('data_version', { simple: true });
    this.#owners.forget();
    this.#book.forget();
    this.#postings = { page: new Postings(), turn: new Postings() };
    this.#loadedThrough = 0;
    this.#mirror.load(this.#db);
    this.#vectors.load();
  }
}

/** Rows whose words are taken into memory in one go: some five milliseconds. */
const rowsPerLoad = 1_000;
/** Pages and turns that are removed at once at the end of a new building. */
const stalePerCall = 200;

function corporaOf(asked: TextQuery['sources']): Corpus[] {
  const corpora: Corpus[] = [];
  if (asked.includes('page')) corpora.push('page');
  if (asked.includes('turn') || asked.includes('checkpoint')) corpora.push('turn');
  return corpora;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Everything that is indexed, without ids, in an order that does not depend on how it came in. */
const contents = [
  `SELECT r.uri, r.level, r.source, o.account_id, o.user_id, o.agent_id, o.session_uid, o.visibility, o.labels, r.kind,
     r.status, r.pinned, r.title, r.session_uid, r.epoch, r.sequence, r.role, r.speaker, r.at, r.content_hash, r.version,
     r.length, r.text_hash, t.text FROM rows r JOIN owners o ON o.id = r.owner_id JOIN texts t ON t.id = r.id
     ORDER BY r.uri, r.level`,
  'SELECT name, uri FROM names ORDER BY name, uri',
  'SELECT uri, type, origin, targets, name, incoming FROM links ORDER BY uri, type, origin, targets, name, incoming',
  'SELECT r.uri, r.level, hex(v.vector) FROM vectors v JOIN rows r ON r.id = v.id ORDER BY r.uri, r.level',
  'SELECT v.term, r.uri, r.level, v.col FROM temp.page_places v JOIN rows r ON r.id = v.doc ORDER BY 1, 2, 3, 4',
  'SELECT v.term, r.uri, r.level, v.col FROM temp.turn_places v JOIN rows r ON r.id = v.doc ORDER BY 1, 2, 3, 4',
];

function prepare(db: Database.Database) {
  return {
    texts: db
      .prepare<[string], [number, string]>(
        'SELECT t.id, t.text FROM json_each(?) l CROSS JOIN texts t ON t.id = l.value',
      )
      .raw(),
    uses: db.prepare<[string], { uri: string; count: number; last: number }>(
      'SELECT u.uri, u.count, u.last FROM json_each(?) l CROSS JOIN uses u ON u.uri = l.value',
    ),
    noteUse: db.prepare<[string, number]>(
      `INSERT INTO uses VALUES (?, 1, ?)
         ON CONFLICT (uri) DO UPDATE SET count = count + 1, last = max(last, excluded.last)`,
    ),
    forgetUses: db.prepare<[string]>('DELETE FROM uses WHERE uri = ?'),
    getMeta: db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck(),
    countGeneration: db.prepare<[]>(
      `INSERT INTO meta VALUES ('generation', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
    ),
    wordsAfter: db
      .prepare<[number, number], [number, Buffer]>('SELECT id, words FROM words WHERE id > ? ORDER BY id LIMIT ?')
      .raw(),
    nextRound: db.prepare<[]>(
      `INSERT INTO meta VALUES ('round', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
    ),
    stale: db
      .prepare<[number], string>(
        `SELECT DISTINCT uri FROM rows
           WHERE round < (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'round') LIMIT ?`,
      )
      .pluck(),
    putMark: db.prepare<[string, number, string]>(
      `INSERT INTO marks VALUES (?, ?, ?)
         ON CONFLICT (session_uid) DO UPDATE SET sequence = excluded.sequence, checkpoints = excluded.checkpoints`,
    ),
    marks: db.prepare<[], TurnMark>(
      'SELECT session_uid AS sessionUid, sequence, checkpoints FROM marks ORDER BY session_uid',
    ),
    entries: db.prepare<[string, number], IndexEntry>(
      `SELECT uri, content_hash AS contentHash, version FROM rows
         WHERE source = 0 AND level = 2 AND uri > ? ORDER BY uri LIMIT ?`,
    ),
  };
}

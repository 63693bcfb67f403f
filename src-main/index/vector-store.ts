import type Database from 'better-sqlite3';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { MemoryIndex } from '../engine/ports/memory-index.ts';
import type { NewVector, PendingText } from '../engine/ports/memory-index-writer.ts';
import { signsOf, toInt8, VectorMirror } from './vector-mirror.ts';

interface StoredEmbedder {
  readonly id: string;
  readonly dimension: number;
}

/** Rows whose numbers are compared for each one that is answered, and at least: signs alone are a rough guide. */
const looksPerHit = 8;
const leastLooks = 400;
/** In memory a look costs 0.1 µs: of the 60 nearest of 11,000 texts, 400 looks find 87 in a hundred, 2,000 find 99. */
const looksInMemory = 2_000;

/** Vectors of one model. */
export class VectorStore {
  readonly #mirror = new VectorMirror();
  readonly #statements: ReturnType<typeof prepare>;
  #embedder: StoredEmbedder | undefined;
  /** Vectors of rows up to this one are in memory; undefined: all are. */
  #loadedThrough: number | undefined;

  constructor(db: Database.Database) {
    this.#statements = prepare(db);
  }

  get count(): number {
    return this.#mirror.count;
  }

  get embedder(): StoredEmbedder | undefined {
    return this.#embedder;
  }

  load(): void {
    const stored = this.#statements.getEmbedder.get();
    // Written below.
    this.#embedder = stored === undefined ? undefined : (JSON.parse(stored) as StoredEmbedder);
    this.#mirror.reset(this.#embedder?.dimension ?? 0);
    this.#loadedThrough = this.#embedder ? 0 : undefined;
  }

  get isLoaded(): boolean {
    return this.#loadedThrough === undefined;
  }

  /** The next vectors into memory, one after the other by row. */
  loadMore(count: number): void {
    if (this.#loadedThrough === undefined) return;
    const rows = this.#statements.after.all(this.#loadedThrough, count);
    for (const [id, vector] of rows)
      this.#mirror.put(id, new Int8Array(vector.buffer, vector.byteOffset, vector.length));
    this.#loadedThrough = rows.length < count ? undefined : rows.at(-1)?.[0];
  }

  /** The text of the row is another one, or gone. */
  forget(id: number): void {
    this.#mirror.remove(id);
  }

  /** Cosines by row. @throws EngineError `embedder_mismatch` */
  nearest(query: Parameters<MemoryIndex['searchVectors']>[0], isWanted: Uint8Array): ReadonlyMap<number, number> {
    const embedder = this.#embedder;
    if (embedder?.id !== query.embedderId) return new Map();
    if (embedder.dimension !== query.vector.length) throw mismatch(embedder, query.vector.length);
    const least = this.#mirror.hasNumbers ? looksInMemory : leastLooks;
    const looks = Math.max(least, query.limit * looksPerHit);
    const near = this.#mirror.nearest(signsOf(toInt8(query.vector)), looks, isWanted);
    const measured = this.#mirror.cosines(query.vector, near);
    if (measured) return measured;
    const vector = Buffer.from(toInt8(query.vector).buffer);
    return new Map(this.#statements.cosines.all(vector, JSON.stringify(near)));
  }

  of(ids: readonly number[], embedderId: string): Map<number, Int8Array> {
    if (this.#embedder?.id !== embedderId) return new Map();
    const inMemory = this.isLoaded ? this.#mirror.of(ids) : undefined;
    if (inMemory) return inMemory;
    return new Map(
      this.#statements.vectors
        .all(JSON.stringify(ids))
        .map(([id, bytes]) => [id, new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
    );
  }

  pending(embedderId: string, limit: number): PendingText[] {
    const fresh = this.#statements.neverAsked.all(limit);
    if (fresh.length >= limit) return fresh;
    return [...fresh, ...this.#statements.askedOther.all(embedderId, limit - fresh.length)];
  }

  put(embedder: StoredEmbedder, vectors: readonly NewVector[]): number {
    // A model that knew nothing of any of them did not say how long its vectors are: that is no reason to drop those there.
    const isOther = this.#embedder?.id !== embedder.id || this.#embedder.dimension !== embedder.dimension;
    if (isOther && vectors.some(({ vector }) => vector !== undefined)) this.#startOver(embedder);
    let count = 0;
    for (const { rowId, textHash, vector } of vectors) {
      if (vector && vector.length !== embedder.dimension) throw mismatch(embedder, vector.length);
      if (this.#statements.markAsked.run(embedder.id, rowId, textHash).changes === 0) continue;
      if (!vector) continue;
      const numbers = toInt8(vector);
      this.#statements.putVector.run(rowId, numbers);
      this.#mirror.put(rowId, numbers);
      count += 1;
    }
    return count;
  }

  /** Every text waits for a vector again. */
  clear(): void {
    this.#statements.removeAll.run();
    this.#statements.askAll.run();
    this.#statements.forgetEmbedder.run();
    this.#embedder = undefined;
    this.#loadedThrough = undefined;
    this.#mirror.reset(0);
  }

  #startOver(embedder: StoredEmbedder): void {
    this.#statements.removeAll.run();
    this.#statements.askAll.run();
    this.#statements.setEmbedder.run(JSON.stringify({ id: embedder.id, dimension: embedder.dimension }));
    this.#embedder = { id: embedder.id, dimension: embedder.dimension };
    this.#loadedThrough = undefined;
    this.#mirror.reset(embedder.dimension);
  }
}

function mismatch(embedder: StoredEmbedder, got: number): EngineError {
  return new EngineError(
    'embedder_mismatch',
    `The index holds vectors of ${embedder.id} with ${embedder.dimension} numbers, this one has ${got}. Set embedder.model to ` +
      'the model that made them, or have all vectors made anew with strata reindex.',
    { details: { embedder: embedder.id, expected: embedder.dimension, got } },
  );
}

function prepare(db: Database.Database) {
  const pending = `SELECT r.id AS rowId, trim(r.title || char(10) || substr(t.text, 1, 8000)) AS text, r.text_hash AS textHash
    FROM rows r JOIN texts t ON t.id = r.id`;
  return {
    getEmbedder: db.prepare<[], string>("SELECT value FROM meta WHERE key = 'embedder'").pluck(),
    setEmbedder: db.prepare<[string]>("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)"),
    forgetEmbedder: db.prepare("DELETE FROM meta WHERE key = 'embedder'"),
    cosines: db
      .prepare<[Buffer, string], [number, number]>(
        `SELECT v.id, 1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) FROM json_each(?) l
           CROSS JOIN vectors v ON v.id = l.value`,
      )
      .raw(),
    vectors: db
      .prepare<[string], [number, Buffer]>(
        'SELECT v.id, v.vector FROM json_each(?) l CROSS JOIN vectors v ON v.id = l.value',
      )
      .raw(),
    neverAsked: db.prepare<[number], PendingText>(`${pending} WHERE r.embedder IS NULL ORDER BY r.id LIMIT ?`),
    askedOther: db.prepare<[string, number], PendingText>(
      `${pending} WHERE r.embedder IS NOT NULL AND r.embedder <> ? ORDER BY r.id LIMIT ?`,
    ),
    markAsked: db.prepare<[string, number, string]>('UPDATE rows SET embedder = ? WHERE id = ? AND text_hash = ?'),
    putVector: db.prepare<[number, Int8Array]>('INSERT OR REPLACE INTO vectors VALUES (?, ?)'),
    after: db
      .prepare<[number, number], [number, Buffer]>('SELECT id, vector FROM vectors WHERE id > ? ORDER BY id LIMIT ?')
      .raw(),
    removeAll: db.prepare('DELETE FROM vectors'),
    askAll: db.prepare('UPDATE rows SET embedder = NULL WHERE embedder IS NOT NULL'),
  };
}

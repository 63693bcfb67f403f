import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Postings } from './postings.ts';
import { encodeWords, type ColumnCounts, type WordCounts } from './row-word-counts.ts';

const weights: ColumnCounts = { title: 2, aliases: 2, body: 1 };
const columns = ['title', 'aliases', 'body'] as const;

/** Park and Miller's generator: every run has the same texts. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * below);
  };
}

/** The same rows in FTS5 and in memory; a word is `w` and its number. */
class Both {
  readonly postings = new Postings();
  readonly #db = new Database(':memory:');
  readonly #words = new Map<number, Buffer>();

  constructor() {
    this.#db.exec("CREATE VIRTUAL TABLE t USING fts5(title, aliases, body, content='', contentless_delete=1)");
  }

  put(row: number, texts: readonly (readonly number[])[]): void {
    this.remove(row);
    const counts: WordCounts = new Map();
    for (const [at, column] of columns.entries()) {
      for (const word of texts[at] ?? []) {
        const known = counts.get(word) ?? { title: 0, aliases: 0, body: 0 };
        known[column] += 1;
        counts.set(word, known);
      }
    }
    const words = encodeWords(counts);
    this.#words.set(row, words);
    this.postings.add(row, texts.flat().length, words);
    const text = texts.map((list) => list.map((word) => `w${word}`).join(' '));
    this.#db.prepare('INSERT INTO t (rowid, title, aliases, body) VALUES (?, ?, ?, ?)').run(row, ...text);
  }

  remove(row: number): void {
    const words = this.#words.get(row);
    if (!words) return;
    this.postings.remove(row, words);
    this.#words.delete(row);
    this.#db.prepare('DELETE FROM t WHERE rowid = ?').run(row);
  }

  byFts(words: readonly number[]): Map<number, number> {
    const rows = this.#db
      .prepare<[string], [number, number]>('SELECT rowid, -bm25(t, 2.0, 2.0, 1.0) FROM t WHERE t MATCH ?')
      .raw()
      .all(words.map((word) => `w${word}`).join(' OR '));
    return new Map(rows);
  }

  byPostings(words: readonly number[], limit: number): Map<number, number> {
    const isWanted = new Uint8Array(20_000).fill(1, 1);
    return new Map(
      this.postings.best(
        words.map((id) => ({ id, weight: 1 })),
        weights,
        isWanted,
        limit,
      ),
    );
  }
}

function expectEqual(one: Map<number, number>, other: Map<number, number>): void {
  expect([...one.keys()].sort((a, b) => a - b)).toEqual([...other.keys()].sort((a, b) => a - b));
  for (const [row, score] of one) expect(Math.abs(score - (other.get(row) ?? 0))).toBeLessThan(1e-9);
}

describe('word lists in memory', () => {
  it('give every row the score of FTS5, over random texts that are written, changed and removed', () => {
    for (const seed of [1, 2, 3]) {
      const random = randomFrom(seed);
      const both = new Both();
      const text = (most: number): number[] =>
        Array.from({ length: random(most) }, () => 1 + Math.floor(random(40) * (random(100) / 100)));
      for (let step = 0; step < 600; step += 1) {
        const row = 1 + random(250);
        if (random(5) === 0) both.remove(row);
        else both.put(row, [text(4), text(4), text(60)]);
      }
      for (let query = 0; query < 20; query += 1) {
        const words = [...new Set([1 + random(40), 1 + random(40), 1 + random(40)])];
        expectEqual(both.byPostings(words, 1_000), both.byFts(words));
      }
    }
  });

  it('the best few are those of FTS5', () => {
    const random = randomFrom(7);
    const both = new Both();
    for (let row = 1; row <= 400; row += 1)
      both.put(row, [[], [], Array.from({ length: 5 + random(40) }, () => 1 + random(30))]);
    const all = [...both.byFts([3, 5]).entries()].sort(([, one], [, other]) => other - one).slice(0, 10);
    const best = both.byPostings([3, 5], 10);
    for (const [row] of all) expect(best.has(row)).toBe(true);
    expect(best.size).toBeLessThan(15);
  });

  it('rows that were written anew thousands of times leave nothing behind', () => {
    const both = new Both();
    for (let row = 1; row <= 20; row += 1) both.put(row, [[], [], [1, 2, row]]);
    // Enough dead slots that the lists are written anew on the way.
    for (let change = 0; change < 9_000; change += 1) {
      const row = 1 + (change % 20);
      const words = encodeWords(new Map([[1, { title: 0, aliases: 0, body: 1 }]]));
      if (change < 20) both.postings.remove(row, encodeWords(wordsOf([1, 2, row])));
      else both.postings.remove(row, words);
      both.postings.add(row, 1, words);
    }
    expect(both.postings.rows).toBe(20);
    expect(both.postings.count(1)).toBe(20);
    expect(both.postings.count(2)).toBe(0);
    expect(both.byPostings([1], 100).size).toBe(20);
    expect(both.byPostings([2], 100).size).toBe(0);
  });

  it('a row that is not wanted is not answered, and does not keep others out', () => {
    const both = new Both();
    for (let row = 1; row <= 9; row += 1) both.put(row, [[], [], [1, ...Array.from({ length: row }, () => 2)]]);
    const isWanted = new Uint8Array(20_000);
    isWanted[8] = 1;
    const best = both.postings.best([{ id: 1, weight: 1 }], weights, isWanted, 1);
    expect(best.map(([row]) => row)).toEqual([8]);
  });
});

function wordsOf(words: readonly number[]): WordCounts {
  return new Map(words.map((word) => [word, { title: 0, aliases: 0, body: 1 }]));
}

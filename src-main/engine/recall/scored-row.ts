import type { IndexHit } from '../ports/memory-index.ts';
import type { TextWords } from './row-words.ts';

/** A row that was found, with its text. */
export interface FoundRow {
  readonly hit: IndexHit;
  readonly text: string;
  readonly words: TextWords;
  /** Cosine above the farthest one found; 0 when the row was not among the near ones. */
  readonly nearness: number;
  /** Cosine with the question, and the vector itself; undefined where the row or the question has none. */
  readonly cosine: number | undefined;
  readonly vector: Int8Array | undefined;
}

/** A candidate with its score and the parts that add up to it. */
export interface Scored {
  readonly hit: IndexHit;
  readonly text: string;
  readonly words: TextWords;
  readonly vector: Int8Array | undefined;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

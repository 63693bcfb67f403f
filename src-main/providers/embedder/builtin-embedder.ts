import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { segmentWords } from '../../engine/memory/indexing/segment-words.ts';
import type { Embedder } from '../../engine/ports/embedder.ts';
import { readWordVectors } from './word-vectors.ts';

/**
 * Weight of a word by its share p of all text: a / (a + p), with the a of Arora, Liang and Ma, "A Simple but
 * Tough-to-Beat Baseline for Sentence Embeddings" (2017).
 */
const a = 1e-3;
/** Words beyond these change the mean of a text by next to nothing. */
const mostWords = 400;
/** Texts between two turns of the event loop. */
const batch = 32;

/**
 * The small embedder that comes along: the weighted mean of GloVe's word vectors, without what all texts have in common.
 * English only; of other scripts it knows nothing, and says so. Loads some 20 MB when it is first asked.
 * @param file packed by `scripts/pack-embeddings.ts`
 */
export function createBuiltinEmbedder(file: string): Embedder {
  let model: Promise<TextModel> | undefined;
  let isClosed = false;
  return {
    id: 'glove-100d-sif-1',
    dimension: 100,
    embed: async (texts, signal) => {
      const loaded = await (model ??= TextModel.load(file));
      const vectors: (Float32Array | undefined)[] = [];
      for (const [at, text] of texts.entries()) {
        if (isClosed || signal?.aborted) throw givenUp();
        vectors.push(loaded.vectorOf(text));
        if (at % batch === batch - 1) await nextTurn();
      }
      return vectors;
    },
    close: () => {
      isClosed = true;
      model = undefined;
      return Promise.resolve();
    },
  };
}

class TextModel {
  readonly #dimension: number;
  readonly #rows: ReadonlyMap<string, number>;
  /** Numbers of the words, each times its weight. */
  readonly #weighted: Float32Array;
  /** Direction that all texts have in common, of length 1. */
  readonly #common: Float32Array;

  static async load(file: string): Promise<TextModel> {
    return new TextModel(await readFile(file));
  }

  constructor(bytes: Buffer) {
    const { dimension, words, scales, numbers } = readWordVectors(bytes);
    this.#dimension = dimension;
    this.#rows = new Map(words.map((word, row) => [word, row]));
    this.#weighted = new Float32Array(numbers.length);
    const expected = new Float32Array(dimension);
    // Words are in order of frequency: by Zipf's law the share of the n-th is 1 / (n × harmonic sum).
    const harmonic = Math.log(words.length) + 0.5772;
    for (let row = 0; row < words.length; row += 1) {
      const share = 1 / ((row + 1) * harmonic);
      const factor = (scales[row] ?? 0) * (a / (a + share));
      for (let column = 0, at = row * dimension; column < dimension; column += 1, at += 1) {
        const value = (numbers[at] ?? 0) * factor;
        this.#weighted[at] = value;
        expected[column] = (expected[column] ?? 0) + share * value;
      }
    }
    this.#common = toUnit(expected) ?? expected;
  }

  vectorOf(text: string): Float32Array | undefined {
    const sum = new Float32Array(this.#dimension);
    let known = 0;
    for (const word of segmentWords(text.slice(0, longestText)).split(' ', mostWords)) {
      const row = this.#rows.get(word);
      if (row === undefined) continue;
      known += 1;
      const start = row * this.#dimension;
      for (let column = 0; column < this.#dimension; column += 1) {
        sum[column] = (sum[column] ?? 0) + (this.#weighted[start + column] ?? 0);
      }
    }
    return known === 0 ? undefined : toUnit(without(sum, this.#common));
  }
}

/** Characters that hold at most the words that count. */
const longestText = 4_000;

function without(vector: Float32Array, direction: Float32Array): Float32Array {
  const along = vector.reduce((sum, value, at) => sum + value * (direction[at] ?? 0), 0);
  return vector.map((value, at) => value - along * (direction[at] ?? 0));
}

/** Undefined for a vector without length. */
function toUnit(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  return length > 1e-9 ? vector.map((value) => value / length) : undefined;
}

function givenUp(): EngineError {
  return new EngineError('aborted', 'The caller gave the vectors up before they were made.');
}

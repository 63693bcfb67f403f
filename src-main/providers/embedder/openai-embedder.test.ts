import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { embedderSchema } from '../../../src-shared/model/embedder-config.ts';
import type { Embedder } from '../../engine/ports/embedder.ts';
import { createEmbedder } from './create-embedder.ts';

interface Asked {
  readonly input: readonly string[];
  readonly model: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (
  asked: Asked,
  index: number,
) => { readonly status?: number; readonly vectors?: number[][]; readonly body?: string };

async function setUp(answer: Answer, config: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[]; model: string };
      asked.push({ ...body, path: request.url ?? '', headers: request.headers });
      const { status = 200, vectors = [], body: text } = answer(asked.at(-1) as Asked, asked.length - 1);
      const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        text ?? JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = { provider: 'openai-compatible', base_url: url, model: 'nomic', retries: 0, ...config };
  const embedder = createEmbedder({ config: embedderSchema.parse(settings), env, root: '' }) as Embedder;
  return { asked, embedder, url };
}

const lengths: Answer = ({ input }) => ({ vectors: input.map((text) => [text.length, 1]) });

describe('an embedder behind an endpoint', () => {
  it('answers one unit vector a text, in order, whatever the order of the answer', async () => {
    const { embedder, asked } = await setUp(lengths);
    const vectors = await embedder.embed(['a', 'four']);
    expect(vectors.map((vector) => (vector?.[0] ?? 0) / (vector?.[1] ?? 1))).toEqual([1, 4]);
    expect(Math.hypot(...(vectors[1] ?? []))).toBeCloseTo(1, 5);
    expect(asked[0]).toMatchObject({ model: 'nomic', path: '/v1/embeddings' });
  });

  it('G19: the dimension is what the model answers with', async () => {
    const { embedder } = await setUp(() => ({ vectors: [new Array<number>(1_024).fill(0.1)] }));
    expect(embedder.dimension).toBeUndefined();
    await embedder.embed(['tea']);
    expect(embedder.dimension).toBe(1_024);
  });

  it('G19: a model that changes its dimension is refused with what to do', async () => {
    const { embedder } = await setUp((_, index) => ({ vectors: [index === 0 ? [1, 0] : [1, 0, 0]] }));
    await embedder.embed(['tea']);
    await expect(embedder.embed(['milk'])).rejects.toMatchObject({
      code: 'embedder_mismatch',
      message: expect.stringContaining('Restart Strata'),
    });
  });

  it('S66: batch_size and max_characters bound what is sent; empty texts are not', async () => {
    const { embedder, asked } = await setUp(lengths, { batch_size: 2, max_characters: 100 });
    const vectors = await embedder.embed(['x'.repeat(200), '', 'b', 'c']);
    expect(asked.map(({ input }) => input.map((text) => text.length))).toEqual([[100, 1], [1]]);
    expect(vectors.map((vector) => vector !== undefined)).toEqual([true, false, true, true]);
  });

  it('S66: the key goes to the endpoint, from the file or from the variable that is named', async () => {
    const first = await setUp(lengths, { api_key: 'sk-in-file' });
    await first.embedder.embed(['a']);
    expect(first.asked[0]?.headers.authorization).toBe('Bearer sk-in-file');
    const second = await setUp(lengths, { api_key_env: 'MY_KEY' }, { MY_KEY: 'sk-in-env' });
    await second.embedder.embed(['a']);
    expect(second.asked[0]?.headers.authorization).toBe('Bearer sk-in-env');
    const third = await setUp(lengths, { api_key_env: 'MY_KEY' });
    await expect(third.embedder.embed(['a'])).rejects.toMatchObject({ message: expect.stringContaining('MY_KEY') });
  });

  it.each([
    [{ status: 500 }, 'model_unavailable'],
    [{ status: 401 }, 'model_refused'],
    [{ status: 429 }, 'model_rate_limited'],
    [{ body: '{}' }, 'model_bad_answer'],
    [{ vectors: [] }, 'model_bad_answer'],
    [{ body: '<html>' }, 'model_bad_answer'],
  ])('a failure is told by its kind and names the section: %j', async (answer, code) => {
    const { embedder } = await setUp(() => answer);
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('language_model'),
    });
  });

  it('S66: timeout_ms ends an answer that does not come', async () => {
    const { embedder } = await setUp(() => ({ body: '' }), { timeout_ms: 1 });
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'model_timeout' });
  });

  it('S66: provider none has no embedder, and openai-compatible needs an address and a model', () => {
    expect(createEmbedder({ config: embedderSchema.parse({ provider: 'none' }), env: {}, root: '' })).toBeUndefined();
    expect(embedderSchema.safeParse({ provider: 'openai-compatible' }).success).toBe(false);
  });
});

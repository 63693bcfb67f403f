import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openEngineFixture } from '../../engine/testing/engine-fixture.ts';
import { embedderSchema } from '../../../src-shared/model/embedder-config.ts';
import { createEmbedder } from './create-embedder.ts';

const secret = 'sk-never-to-be-told-4711';
const vectors = (...list: unknown[]) =>
  JSON.stringify({ data: list.map((embedding, index) => ({ index, embedding })) });

interface Scripted {
  readonly status?: number;
  readonly body?: string;
  /** Never answers. */
  readonly hangs?: boolean;
}

/** An engine whose embedder is a server on loopback that answers as it is told, until it is told to be well. */
async function openWith(scripted: (input: readonly string[]) => Scripted | undefined) {
  let isWell = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] };
      const { status = 200, body, hangs } = (isWell ? undefined : scripted(input)) ?? {};
      if (hangs) return;
      response.writeHead(status, { 'content-type': 'application/json' });
      // Servers like to quote what they were sent.
      response.end(body ?? (status === 200 ? vectors(...input.map(() => [1, 0])) : JSON.stringify({ error: { message: `Bad key ${request.headers.authorization ?? ''}` } }))); // prettier-ignore
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = embedderSchema.parse({
    ...{ provider: 'openai-compatible', base_url, model: 'm', retries: 0, timeout_ms: 2_000, api_key: secret },
  });
  const fixture = await openEngineFixture({
    config: { memory: { write_memory_md: false } },
    embedder: () => {
      const embedder = createEmbedder({ config, env: {}, root: '' });
      if (!embedder) throw new Error('one is configured');
      return embedder;
    },
  });
  const { indexing } = fixture.engine.memory;
  return {
    fixture,
    save: async (name: string) => {
      const uri = `strata://user/default/memories/preferences/${name}`;
      await fixture.send('savePage', { params: { uri }, body: { title: name, kind: 'preference', truth: name } });
    },
    mend: () => {
      isWell = true;
      fixture.clock.advance(600_000);
    },
    look: async () => {
      indexing.follower.wake();
      await indexing.follower.settled();
      return fixture.parts.memoryIndex.state();
    },
    alarms: async () => (await fixture.send('health', {})).alarms.filter(({ code }) => code === 'index_behind'),
  };
}

it.each<[string, Scripted, RegExp]>([
  ['401', { status: 401 }, /401/],
  ['429', { status: 429 }, /429/],
  ['500', { status: 500 }, /500/],
  ['no answer', { hangs: true }, /did not answer/],
  ['too few vectors', { body: vectors() }, /vectors/],
  ['too many vectors', { body: vectors(...Array.from({ length: 200 }, () => [1, 0])) }, /vectors/],
  ['NaN', { body: '{"data":[{"index":0,"embedding":[NaN,1]}]}' }, /JSON/],
  ['null in a vector', { body: vectors([null, 1]) }, /vectors/],
  ['a number beyond all bounds', { body: '{"data":[{"index":0,"embedding":[1e999,1]}]}' }, /vectors/],
])('%s is an alarm without the key; words are found meanwhile, vectors come later', async (_name, answer, message) => {
  const { fixture, save, look, alarms, mend } = await openWith(() => answer);
  await save('oolong');
  expect(await look()).toMatchObject({ pages: 1, vectors: 0, backlog: 0 });
  const [alarm] = await alarms();
  expect(alarm).toMatchObject({ message: expect.stringMatching(message) });
  expect(JSON.stringify([alarm, fixture.logLines, fixture.events])).not.toContain(secret);
  mend();
  expect((await look()).vectors).toBeGreaterThan(0);
  expect(await alarms()).toEqual([]);
});

it('a model that answers with another dimension from one day to the next is an alarm, and no vector is mixed in', async () => {
  let dimension = 2;
  const { save, look, alarms, fixture } = await openWith((input) => ({
    body: vectors(...input.map(() => Array.from({ length: dimension }, () => 1))),
  }));
  await save('oolong');
  const { vectors: count } = await look();
  dimension = 3;
  await save('sencha');
  expect((await look()).vectors).toBe(count);
  expect(await alarms()).toMatchObject([{ message: expect.stringContaining('another model runs there') }]);
  await fixture.reopen();
  await fixture.engine.memory.indexing.follower.settled();
  expect((await fixture.parts.memoryIndex.state()).vectors).toBeGreaterThan(count);
});

it('a text that the model refuses keeps no other from its vector', async () => {
  const { save, look, alarms, fixture } = await openWith((input) =>
    input.some((text) => text.includes('poison')) ? { status: 400 } : undefined,
  );
  await save('oolong');
  await look();
  for (const name of ['one', 'two', 'poison', 'three']) await save(name);
  await look();
  const waiting = await fixture.parts.memoryIndex.pendingTexts(fixture.parts.embedder?.id ?? '', 100);
  expect(waiting).toEqual([]);
  expect(await alarms()).toEqual([]);
  expect(fixture.logLines.map(({ message }) => message)).toContain('text_not_embedded');
});

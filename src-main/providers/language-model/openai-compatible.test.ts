import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOpenAiCompatible, type EndpointSettings } from './openai-compatible.ts';
import { openModelServer } from './testing/model-server.ts';

const question = { system: 'You count.', prompt: 'One, two?', maxOutputTokens: 500 };

function endpoint(base_url: string, given: Partial<EndpointSettings> = {}) {
  return createOpenAiCompatible({
    base_url,
    model: 'small-1',
    timeout_ms: 20_000,
    max_input_tokens: 8_000,
    max_output_tokens: 1_000,
    retries: 0,
    apiKey: () => 'sk-test-secret',
    ...given,
  });
}

/** A port on which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an endpoint that works', () => {
  it.each([
    [{ prompt_tokens: -5, completion_tokens: 1.5 }],
    [{ prompt_tokens: 1e300, completion_tokens: null }],
    [{ prompt_tokens: '21', completion_tokens: 9_007_199_254_740_991 }],
    ['many'],
  ])('counts of tokens that cannot be are left out: %j', async (usage) => {
    const body = JSON.stringify({ model: 'm', usage, choices: [{ message: { content: 'Three.' } }] });
    const server = await openModelServer([{ body }]);
    const reply = await endpoint(server.url).complete(question);
    expect(reply.text).toBe('Three.');
    expect(Object.keys(reply)).toEqual(['text', 'model', 'stopReason']);
  });

  it('the name of its model is recorded on one line, without control characters, and not beyond 200 characters', async () => {
    const model = `\u001b[31mbig\u202e\n${'x'.repeat(5_000)}`;
    const body = JSON.stringify({ model, choices: [{ message: { content: 'Three.' } }] });
    const server = await openModelServer([{ body }]);
    expect((await endpoint(server.url).complete(question)).model).toBe(`big ${'x'.repeat(196)}`);
  });

  it('gets system and prompt, is not asked to stream, and its answer is read with what it cost', async () => {
    const server = await openModelServer([{ text: 'Three.', usage: { prompt_tokens: 21, completion_tokens: 4 } }]);
    expect(await endpoint(server.url).complete(question)).toEqual({
      text: 'Three.',
      model: 'small-1',
      stopReason: 'stop',
      inputTokens: 21,
      outputTokens: 4,
    });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ path: '/v1/chat/completions', system: 'You count.', prompt: 'One, two?' });
    expect(asked?.body).toMatchObject({ model: 'small-1', stream: false, max_tokens: 500 });
    expect(asked?.headers.authorization).toBe('Bearer sk-test-secret');
  });

  it('S66: max_output_tokens bounds every answer', async () => {
    const server = await openModelServer(['x']);
    await endpoint(server.url, { max_output_tokens: 300 }).complete(question);
    expect(server.asked[0]?.body.max_tokens).toBe(300);
  });

  it('says when an answer was cut off', async () => {
    const server = await openModelServer([{ text: 'Thr', finish: 'length' }]);
    expect(await endpoint(server.url).complete(question)).toMatchObject({ text: 'Thr', stopReason: 'length' });
  });

  it('is asked by the other name of the limit once it says that it wants that one', async () => {
    const server = await openModelServer(({ body }) =>
      body.max_tokens === undefined
        ? 'fine'
        : { status: 400, body: '{"error":{"message":"Unsupported parameter: use max_completion_tokens instead."}}' },
    );
    const model = endpoint(server.url);
    expect((await model.complete(question)).text).toBe('fine');
    await model.complete(question);
    expect(server.asked.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [500, undefined],
      [undefined, 500],
      [undefined, 500],
    ]);
  });

  it('gets no key where none is configured, and nothing that the environment would add or that tells of the machine', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org-from-environment');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/elsewhere');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-From-Environment: yes');
    const server = await openModelServer(['x']);
    await endpoint(server.url, { apiKey: () => '' }).complete(question);
    const headers = server.asked[0]?.headers ?? {};
    expect(headers.authorization).toBeUndefined();
    expect(JSON.stringify(headers)).not.toMatch(/from-environment|stainless/i);
  });

  it('prints neither keys nor prompts, even where the environment asks the client to', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    const printed: unknown[] = [];
    const spies = (['debug', 'log', 'info', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...args: unknown[]) => void printed.push(args)),
    );
    const server = await openModelServer([{ status: 500 }]);
    await expect(endpoint(server.url).complete(question)).rejects.toThrow();
    spies.forEach((spy) => spy.mockRestore());
    expect(printed).toEqual([]);
  });
});

describe('S54: an endpoint that does not work', () => {
  it('absent: unavailable, with its address', async () => {
    const address = `http://127.0.0.1:${await deadPort()}/v1`;
    await expect(endpoint(address).complete(question)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining(address),
    });
  });

  it.each([
    [401, 'model_refused'],
    [403, 'model_refused'],
    [404, 'model_refused'],
    [400, 'model_refused'],
    [429, 'model_rate_limited'],
    [500, 'model_unavailable'],
    [503, 'model_unavailable'],
  ])('%i: %s, without the key in the message', async (status, code) => {
    const server = await openModelServer([{ status }]);
    const failure: unknown = await endpoint(server.url)
      .complete(question)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, details: { status } });
    expect(String(failure)).toContain(`answered ${status}`);
    expect(String(failure)).not.toContain('sk-test-secret');
  });

  it('an endpoint that quotes the key does not get it into the message', async () => {
    const body = '{"error":{"message":"Incorrect key sk-test-secret given"}}';
    const server = await openModelServer([{ status: 401, body }]);
    await expect(endpoint(server.url).complete(question)).rejects.toMatchObject({
      message: expect.stringContaining('Incorrect key … given'),
    });
  });

  it('S66: timeout_ms ends the wait', async () => {
    const server = await openModelServer([{ never: true }]);
    await expect(endpoint(server.url, { timeout_ms: 50 }).complete(question)).rejects.toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining('50 ms'),
    });
  });

  it('S66: timeout_ms is the time of all tries together', async () => {
    const server = await openModelServer([{ status: 503, headers: { 'retry-after': '30' } }]);
    await expect(endpoint(server.url, { timeout_ms: 100, retries: 5 }).complete(question)).rejects.toMatchObject({
      code: 'model_timeout',
    });
    expect(server.asked).toHaveLength(1);
  });

  it('S66: retries says how often it is asked again', async () => {
    const server = await openModelServer([{ status: 500, headers: { 'retry-after-ms': '1' } }]);
    await expect(endpoint(server.url, { retries: 2 }).complete(question)).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    expect(server.asked).toHaveLength(3);
  });

  it('a limit of the endpoint passes: it is asked again no sooner than it said', async () => {
    const server = await openModelServer([{ status: 429, headers: { 'retry-after': '1' } }, 'now']);
    expect((await endpoint(server.url, { retries: 1 }).complete(question)).text).toBe('now');
    const [first, second] = server.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
  });

  it('a refused key is not tried again', async () => {
    const server = await openModelServer([{ status: 401 }]);
    await expect(endpoint(server.url, { retries: 3 }).complete(question)).rejects.toThrow();
    expect(server.asked).toHaveLength(1);
  });

  it('an abort ends the request at once, also between tries', async () => {
    const abort = new AbortController();
    const server = await openModelServer(() => {
      abort.abort();
      return { status: 503, headers: { 'retry-after': '30' } };
    });
    await expect(
      endpoint(server.url, { retries: 3 }).complete({ ...question, signal: abort.signal }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(server.asked).toHaveLength(1);
  });

  it('a redirect is not followed: the prompt goes nowhere else', async () => {
    const other = await openModelServer(['stolen']);
    const server = await openModelServer([{ status: 307, headers: { location: `${other.url}/chat/completions` } }]);
    await expect(endpoint(server.url).complete(question)).rejects.toMatchObject({ code: 'model_refused' });
    expect(other.asked).toEqual([]);
  });

  it.each(['<html>hello</html>', '{}', '{"choices":[]}', '"text"', ''])(
    'an answer that is no completion is told as such: %j',
    async (body) => {
      const server = await openModelServer([{ status: 200, body }]);
      await expect(endpoint(server.url).complete(question)).rejects.toMatchObject({
        code: 'model_bad_answer',
      });
    },
  );

  it.each([200, 400, 500])(
    'a body that does not end is read up to 4 MiB only, and its connection closed: %i',
    async (status) => {
      let sent = 0;
      let closed = false;
      const server = createHttpServer((request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': 'application/json' });
        response.on('close', () => (closed = true));
        const chunk = ' '.repeat(65_536);
        const more = (): void => {
          if (closed || sent > 200_000_000) return;
          sent += chunk.length;
          if (response.write(chunk)) setImmediate(more);
          else response.once('drain', more);
        };
        more();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const code = { 200: 'model_bad_answer', 400: 'model_refused', 500: 'model_unavailable' }[status];
      await expect(endpoint(address).complete(question)).rejects.toMatchObject({ code });
      await vi.waitFor(() => expect(closed).toBe(true));
      expect(sent).toBeLessThan(40_000_000);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  );

  it('a connection that ends in mid-answer is unavailable', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"choices":[');
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    await expect(endpoint(address).complete(question)).rejects.toMatchObject({ code: 'model_unavailable' });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});

import { describe, expect, it } from 'vitest';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './testing/test-app.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

async function app(options: Omit<TestAppOptions, 'dataDir'> = {}): Promise<TestApp> {
  return createTestApp({ dataDir: await temporaryDirectory(), ...options });
}

interface ErrorBody {
  ok: boolean;
  error: { code: string; message: string; details?: Record<string, unknown> };
}

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  const body = (await response.json()) as ErrorBody;
  expect(body.ok).toBe(false);
  expect(Object.keys(body)).toEqual(['ok', 'error']);
  return body.error;
}

const identity = { session_id: 's', format: 'openclaw' };

describe('routes', () => {
  it('hands parsed path, query and body to the engine', async () => {
    const test = await app({ engine: { sessionTurns: async () => ({ items: [], total: 0 }) } });
    const response = await test.send('/v1/sessions/a%2Fb%20%25/turns?limit=5&raw=true&unknown=1');
    expect(await response.json()).toEqual({ items: [], total: 0 });
    expect(test.calls).toEqual([
      {
        name: 'sessionTurns',
        input: { params: { id: 'a/b %' }, query: { limit: 5, order: 'asc', raw: true }, body: {} },
      },
    ]);
  });

  it.each([
    ['%zz', '%zz'],
    ['%00', '\0'],
    ['..%2f..%2fetc', '../../etc'],
    ['%F0%9F%92%A9', '💩'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['__proto__', '__proto__'],
  ])('hands the id %s over as text', async (encoded, id) => {
    const test = await app();
    expect((await test.send(`/v1/sessions/${encoded}`)).status).toBe(200);
    expect(test.calls[0]?.input.params).toEqual({ id });
  });

  it('answers JSON that is not cached and not sniffed', async () => {
    const { headers } = await (await app()).send('/health');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('answers an export as lines', async () => {
    const test = await app({ engine: { exportSession: async () => '{"a":1}\n{"b":2}\n' } });
    const response = await test.send('/v1/sessions/s/export');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await response.text()).toBe('{"a":1}\n{"b":2}\n');
  });

  it('keeps a session that is called import apart from the import', async () => {
    const test = await app();
    await test.send('/v1/sessions/import');
    await test.post('/v1/sessions/import', { jsonl: '' });
    expect(test.calls.map((call) => call.name)).toEqual(['session', 'importSession']);
  });

  it('answers a HEAD request like a GET without its body', async () => {
    const test = await app();
    const response = await test.send('/health', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it.each([
    ['/v1/assemble', 'GET', 'POST'],
    ['/v1/sessions', 'POST', 'GET, HEAD'],
    ['/v1/sessions/x/turns', 'DELETE', 'GET, HEAD'],
    ['/health', 'PUT', 'GET, HEAD'],
    ['/openapi.json', 'POST', 'GET, HEAD'],
    ['/v1/assemble', 'OPTIONS', 'POST'],
    ['/', 'POST', 'GET, HEAD'],
  ])('refuses %s by %s and names the methods it has', async (path, method, allowed) => {
    const response = await (await app()).send(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allowed);
    expect((await errorOf(response)).code).toBe('method_not_allowed');
  });

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/sessions/x/nothing', '/v1//sessions', '/v1/assemble/'])(
    'answers the unknown path %s in the common form',
    async (path) => {
      const response = await (await app()).send(path);
      expect(response.status).toBe(404);
      expect((await errorOf(response)).code).toBe('not_found');
    },
  );

  it('serves 100 requests at once, each with its own answer', async () => {
    const test = await app({ engine: { call: async ({ params }) => ({ trace: (params as { id: string }).id }) } });
    const ids = Array.from({ length: 100 }, (_, index) => `call${index}`);
    const replies = await Promise.all(ids.map(async (id) => (await test.send(`/v1/calls/${id}`)).json()));
    expect(replies).toEqual(ids.map((id) => ({ trace: id })));
  });
});

describe('errors', () => {
  it("passes the engine's own errors on with status, code and details", async () => {
    const test = await app({
      engine: {
        assemble: async () => {
          throw new EngineError('unknown_messages', 'Send these bodies.', { details: { indexes: [1, 4] } });
        },
      },
    });
    const response = await test.post('/v1/assemble', { ...identity, messages: [] });
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toEqual({
      code: 'unknown_messages',
      message: 'Send these bodies.',
      details: { indexes: [1, 4] },
    });
  });

  it.each([
    ['an error', new TypeError('secret path /home/user')],
    ['something that is no error', 'secret'],
  ])('hides %s of unknown kind from the caller', async (_, thrown) => {
    const test = await app({
      engine: {
        sessions: async () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a careless strategy might do
          throw thrown;
        },
      },
    });
    const response = await test.send('/v1/sessions');
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toContain('"code":"internal"');
    expect(text).not.toContain('secret');
    expect(test.logLines.filter((line) => line['level'] === 'error')).toHaveLength(1);
  });

  it('names the places of a body that does not fit, and never its content', async () => {
    const test = await app();
    const response = await test.post('/v1/commit-turn', {
      session_id: 7,
      format: 'private words',
      advancement_key: 'k',
      messages: [{ role: 'user' }, 'private text', null],
    });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).not.toContain('private');
    const { error } = JSON.parse(text) as ErrorBody;
    expect(error.code).toBe('invalid_request');
    const issues = error.details?.['issues'] as { path: string; message: string }[];
    expect(issues.map((issue) => issue.path)).toEqual(['session_id', 'format', 'messages.1', 'messages.2']);
    expect(test.calls).toEqual([]);
  });

  it('bounds the list of places', async () => {
    const response = await (
      await app()
    ).post('/v1/commit-turn', { ...identity, advancement_key: 'k', messages: Array.from({ length: 5_000 }, () => 1) });
    expect(((await errorOf(response)).details?.['issues'] as unknown[]).length).toBe(20);
  });

  it('refuses 20,001 messages', async () => {
    const test = await app();
    const messages = Array.from({ length: 20_001 }, () => ({ role: 'user', content: '' }));
    const response = await test.post('/v1/assemble', { ...identity, messages });
    expect((await errorOf(response)).code).toBe('invalid_request');
  });

  it.each([
    ['/v1/sessions?limit=0', 'limit'],
    ['/v1/sessions?limit=many', 'limit'],
    ['/v1/sessions/x/turns?order=up', 'order'],
    [`/v1/sessions/${'x'.repeat(1_001)}`, 'id'],
  ])('refuses %s', async (path, where) => {
    const error = await errorOf(await (await app()).send(path));
    expect(error.code).toBe('invalid_request');
    expect((error.details?.['issues'] as { path: string }[])[0]?.path).toBe(where);
  });

  it.each(['[]', '"text"', 'null', '7'])('refuses the body %s', async (body) => {
    expect((await errorOf(await (await app()).post('/v1/compact', body))).code).toBe('invalid_request');
  });
});

describe('load and end', () => {
  it('answers busy to assemble calls beyond the limit, and serves again afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const test = await app({
      limits: { concurrent_assembles: 2 },
      engine: {
        assemble: async () => {
          await gate.promise;
          return { call_id: 'c' };
        },
      },
    });
    const call = async (): Promise<Response> => test.post('/v1/assemble', { ...identity, messages: [] });
    const running = [call(), call()];
    // Both must have reached the engine before the third is sent.
    while (test.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await errorOf(refused)).code).toBe('busy');
    expect((await test.send('/health')).status).toBe(200);
    gate.resolve();
    expect((await Promise.all(running)).map((response) => response.status)).toEqual([200, 200]);
    expect((await call()).status).toBe(200);
  });

  it('frees the place of an assemble call that failed', async () => {
    const test = await app({
      limits: { concurrent_assembles: 1 },
      engine: { assemble: () => Promise.reject(new EngineError('store_failed', 'x')) },
    });
    for (let i = 0; i < 3; i += 1) {
      expect((await test.post('/v1/assemble', { ...identity, messages: [] })).status).toBe(500);
    }
  });

  it('refuses new requests once it stops, and waits for those that run', async () => {
    const gate = Promise.withResolvers<void>();
    const test = await app({
      engine: {
        sessions: async () => {
          await gate.promise;
          return { items: [], total: 0 };
        },
      },
    });
    const running = test.send('/v1/sessions');
    while (test.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
    test.activity.stop();
    const refused = await test.send('/health');
    expect(refused.status).toBe(503);
    expect((await errorOf(refused)).code).toBe('shutting_down');
    expect(await test.activity.whenIdle(1)).toBe(false);
    const idle = test.activity.whenIdle(10_000);
    gate.resolve();
    expect(await idle).toBe(true);
    expect((await running).status).toBe(200);
  });
});

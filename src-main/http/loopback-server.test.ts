import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import { silentLogger } from '../logger.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';
import { createTestApp, testAuthorization, testToken, type TestApp, type TestAppOptions } from './testing/test-app.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

interface Served extends TestApp {
  readonly server: LoopbackServer;
}

async function serve(
  options: Omit<TestAppOptions, 'dataDir' | 'port'> = {},
  timeouts?: { headers: number; request: number; check: number },
): Promise<Served> {
  let port = 0;
  const test = await createTestApp({ dataDir: await temporaryDirectory(), ...options, port: () => port });
  const server = await startLoopbackServer({
    fetch: (request) => test.hono.fetch(request),
    port: 0,
    logger: silentLogger,
    ...(timeouts ? { timeouts } : {}),
  });
  port = server.port;
  onTestFinished(() => {
    test.streams.closeAll();
    server.stopAccepting();
    server.closeAllConnections();
  });
  return { ...test, server };
}

async function dial(server: LoopbackServer): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined); // Being cut off is what some of these tests are about.
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are and reads until the server closes. */
async function raw(server: LoopbackServer, ...parts: readonly string[]): Promise<string> {
  const socket = await dial(server);
  for (const part of parts) socket.write(part);
  return readToEnd(socket);
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

function head(server: LoopbackServer, path: string, ...headers: readonly string[]): string {
  const lines = [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${testToken}`, ...headers];
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const json = 'Content-Type: application/json';

describe('where Strata listens', () => {
  it.each([
    '0.0.0.0',
    '::',
    '',
    'localhost',
    '0',
    '0x0',
    '127.1',
    '::1',
    '::ffff:0.0.0.0',
    '::ffff:127.0.0.1',
    '127.0.0.1 ',
  ])('refuses to listen on %j', async (address) => {
    const starting = startLoopbackServer({ fetch: () => new Response(), port: 0, address, logger: silentLogger });
    await expect(starting).rejects.toMatchObject({ code: 'invalid_config' });
  });

  it('listens on the address, not on a name', async () => {
    const { server } = await serve();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const other = connect(server.port, '::1');
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
    expect(['ECONNREFUSED', 'EADDRNOTAVAIL']).toContain(error.code);
  });

  it('takes a free port when the wanted one is taken, and says so', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const address = blocker.address();
    const wanted = typeof address === 'object' && address ? address.port : 0;
    const warned: unknown[] = [];
    const server = await startLoopbackServer({
      fetch: () => new Response('here'),
      port: wanted,
      logger: { ...silentLogger, warn: (event, fields) => warned.push([event, fields]) },
    });
    onTestFinished(() => server.stopAccepting());
    expect(server.port).not.toBe(wanted);
    expect(warned).toEqual([['port_taken', { wanted, port: server.port }]]);
    expect(await (await fetch(server.url)).text()).toBe('here');
  });
});

describe('requests over a socket', () => {
  it('serves fetch with the token', async () => {
    const { server } = await serve({ engine: { sessions: async () => ({ items: [], total: 0 }) } });
    const response = await fetch(`${server.url}/v1/sessions`, { headers: testAuthorization });
    expect(await response.json()).toEqual({ items: [], total: 0 });
  });

  it('hands the engine messages as they were sent, with and without an announced length', async () => {
    const { server, calls } = await serve();
    const message = '{"zeta":1,"role":"user","__openclaw":{"id":"e"},"content":"\\ud83d \\u0000 é"}';
    const body = `{"session_id":"s","format":"openclaw","advancement_key":"k","messages":[${message}]}`;
    const bytes = Buffer.byteLength(body);
    await raw(server, head(server, '/v1/commit-turn', json, `Content-Length: ${bytes}`, 'Connection: close') + body);
    const chunk = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    await raw(server, head(server, '/v1/commit-turn', json, 'Transfer-Encoding: chunked', 'Connection: close') + chunk);
    const received = calls.map((call) => (call.input.body as { messages: unknown[] }).messages[0]);
    expect(received.map((value) => JSON.stringify(value))).toEqual(
      [message, message].map((text) => JSON.stringify(JSON.parse(text))),
    );
    expect(Object.keys(received[0] as object)).toEqual(['zeta', 'role', '__openclaw', 'content']);
  });

  it('cuts off a chunked body at the limit', async () => {
    const { server, calls } = await serve({ limits: { body_bytes: 2_000 } });
    const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`;
    const answer = await raw(
      server,
      head(server, '/v1/compact', json, 'Transfer-Encoding: chunked'),
      chunk.repeat(100),
    );
    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('"body_too_large"');
    expect(calls).toEqual([]);
  });

  it('refuses an announced length beyond the limit before the body comes', async () => {
    const { server } = await serve({ limits: { body_bytes: 2_000 } });
    const answer = await raw(server, head(server, '/v1/compact', json, 'Content-Length: 900000000'));
    expect(answer).toContain('HTTP/1.1 413');
  });

  it('answers a request without a Host header in the common form', async () => {
    const { server } = await serve();
    const answer = await raw(server, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 403');
    expect(answer).toContain('"forbidden_host"');
  });

  it.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['headers beyond all measure', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['two lengths', 'POST /v1/compact HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length and chunks', 'POST /v1/compact HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a path with a backslash', 'GET /\\..\\token HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n'],
    ['a host that is no host', 'GET / HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n'],
  ])('answers 400 in the common form to %s', async (_, text) => {
    const { server } = await serve();
    const answer = await raw(server, text.replace('PORT', String(server.port)));
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"ok":false');
    expect(answer).toContain('"invalid_request"');
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it.each([
    ['of the headers', 'GET /health HTTP/1.1\r\nHost: x'],
    [
      'of the body',
      'POST /v1/compact HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"sess',
    ],
  ])('gives up on a request that never sends the rest %s', async (_, text) => {
    const { server, calls } = await serve({}, { headers: 40, request: 80, check: 10 });
    const answer = await raw(server, text.replace('PORT', String(server.port)).replace('TOKEN', testToken));
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('did not arrive in time');
    expect(calls).toEqual([]);
  });

  it('survives clients that vanish in the middle of an upload', async () => {
    const { server, calls, activity } = await serve();
    for (const encoding of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = await dial(server);
      socket.write(`${head(server, '/v1/compact', json, encoding)}3e8\r\n{"session_id":`);
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      await once(socket, 'close');
    }
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(await activity.whenIdle(5_000)).toBe(true);
    expect(calls.map((call) => call.name)).toEqual(['health']);
  });

  it('ends requests by a client that leaves before the answer, and goes on', async () => {
    const gate = Promise.withResolvers<void>();
    const { server, calls } = await serve({
      engine: { sessions: () => gate.promise.then(() => ({ items: [], total: 0 })) },
    });
    const leaving = new AbortController();
    const response = fetch(`${server.url}/v1/sessions`, { headers: testAuthorization, signal: leaving.signal });
    const failed = expect(response).rejects.toThrow();
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await failed;
    gate.resolve();
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('serves 100 requests at once', async () => {
    const { server } = await serve({
      engine: { call: async ({ params }) => ({ trace: (params as { id: string }).id }) },
    });
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    const replies = await Promise.all(
      ids.map(async (id) => (await fetch(`${server.url}/v1/calls/${id}`, { headers: testAuthorization })).json()),
    );
    expect(replies).toEqual(ids.map((id) => ({ trace: id })));
  });

  it('opens an event stream at once and forgets it when the client goes', async () => {
    const { server, streams, events } = await serve();
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/v1/events`, { headers: testAuthorization, signal: leaving.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(':\n\n');
    events.publish({ type: 'health.changed' });
    expect((await reader?.read())?.value).toContain('id: test-1\n');
    leaving.abort();
    while (streams.count > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(streams.count).toBe(0);
  });

  it('does not pile up events for a client that stops reading, and counts what it lost', async () => {
    const { server, events } = await serve({ eventCapacity: 10 });
    const socket = await dial(server);
    socket.write(head(server, '/v1/events').replace('POST', 'GET'));
    await once(socket, 'data');
    socket.pause();
    const event: LiveEvent = { type: 'session.changed', session_uid: 'x'.repeat(2_000) };
    // More than the system's own buffers take; between the rounds the stream may write what it can.
    for (let round = 0; round < 2_000; round += 1) {
      for (let n = 0; n < 8; n += 1) events.publish(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.resume();
    while (!text.includes(`id: test-16000\n`)) await once(socket, 'data');
    socket.destroy();
    const dropped = [...text.matchAll(/"type":"stream.gap","dropped":(\d+)/g)].reduce(
      (sum, match) => sum + Number(match[1]),
      0,
    );
    const received = text.match(/event: session\.changed/g)?.length ?? 0;
    expect(dropped).toBeGreaterThan(0);
    expect(dropped + received).toBeGreaterThanOrEqual(15_990);
  });

  it('tells a client that sends too much what is wrong, although it has not sent all of it', async () => {
    const { server } = await serve({ limits: { body_bytes: 2_000 } });
    const response = await fetch(`${server.url}/v1/compact`, {
      method: 'POST',
      headers: { ...testAuthorization, 'Content-Type': 'application/json' },
      body: 'x'.repeat(20_000_000),
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('"body_too_large"');
  });

  it('keeps a connection for the next request after a refusal', async () => {
    const { server } = await serve();
    const socket = await dial(server);
    const body = '{"session_id":7}';
    const request = head(server, '/v1/compact', json, `Content-Length: ${body.length}`) + body;
    socket.write(request + request.replace('Host', 'Connection: close\r\nHost'));
    const answer = await readToEnd(socket);
    expect(answer.match(/HTTP\/1\.1 400/g)).toHaveLength(2);
  });
});

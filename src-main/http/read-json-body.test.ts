import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const limit = 2_000;

async function app(): Promise<TestApp> {
  return createTestApp({
    dataDir: await temporaryDirectory(),
    limits: { body_bytes: limit, messages_body_bytes: 2 * limit },
  });
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

function commit(message: string): string {
  return `{"session_id":"s","format":"openclaw","advancement_key":"k","messages":[${message}]}`;
}

/** The text of the first message that reached the engine. */
function received(test: TestApp): HostMessage {
  const body = test.calls[0]?.input.body as { messages: HostMessage[] };
  const message = body.messages[0];
  if (!message) throw new Error('no message reached the engine');
  return message;
}

function streamed(...chunks: readonly string[]): { body: ReadableStream<Uint8Array>; duplex: 'half' } {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[sent];
      sent += 1;
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
  return { body, duplex: 'half' };
}

describe('bodies', () => {
  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'refuses the content type %s',
    async (type) => {
      const response = await (
        await app()
      ).send('/v1/compact', { method: 'POST', body: '{}', headers: { 'Content-Type': type ?? '' } });
      expect(response.status).toBe(415);
      expect(await codeOf(response)).toBe('unsupported_media_type');
    },
  );

  it.each([
    { 'Content-Type': 'application/json; charset=latin1' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  ])('refuses %j', async (headers) => {
    const response = await (await app()).send('/v1/compact', { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(415);
  });

  it('takes JSON with a charset parameter in any case', async () => {
    const response = await (
      await app()
    ).post('/v1/compact', { session_id: 's' }, { headers: { 'Content-Type': 'Application/JSON; Charset=UTF-8' } });
    expect(response.status).toBe(200);
  });

  it.each(['{', '{"a":1,}', '', '{"secret words": tru', '\u0000'])('answers invalid_json to %j', async (text) => {
    const response = await (await app()).post('/v1/compact', text || ' ');
    expect(response.status).toBe(400);
    const answer = await response.text();
    expect(answer).toContain('"invalid_json"');
    expect(answer).not.toContain('secret');
  });

  it('refuses bytes that are not UTF-8 instead of storing something else', async () => {
    const body = Buffer.concat([Buffer.from('{"session_id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const response = await (
      await app()
    ).send('/v1/compact', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expect(await codeOf(response)).toBe('invalid_json');
  });

  it('refuses an announced length beyond the limit without reading', async () => {
    const source = streamed('{"a":"', 'x');
    const response = await (
      await app()
    ).send('/v1/compact', {
      method: 'POST',
      ...source,
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(limit + 1) },
    });
    expect(response.status).toBe(413);
    expect(source.body.locked).toBe(false);
  });

  it('stops reading a body of unknown length at the limit', async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(500).fill(0x20));
      },
    });
    const response = await (
      await app()
    ).send('/v1/compact', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('body_too_large');
    expect(pulls).toBeLessThan(10);
  });

  it('takes a body of exactly the limit and refuses one byte more', async () => {
    const test = await app();
    const frame = '{"session_id":"s","custom_instructions":""}';
    const fill = 'x'.repeat(limit - frame.length);
    expect((await test.post('/v1/compact', frame.replace('""', `"${fill}"`))).status).toBe(200);
    expect((await test.post('/v1/compact', frame.replace('""', `"${fill}x"`))).status).toBe(413);
  });

  it('has a limit of its own for routes that carry messages', async () => {
    const test = await app();
    const message = (size: number): string => commit(JSON.stringify({ role: 'user', content: 'x'.repeat(size) }));
    expect((await test.post('/v1/commit-turn', message(limit))).status).toBe(200);
    expect((await test.post('/v1/commit-turn', message(2 * limit))).status).toBe(413);
  });

  it('takes a request without a body where none is needed', async () => {
    const test = await app();
    expect((await test.send('/v1/inspector/links', { method: 'POST' })).status).toBe(200);
    expect(await codeOf(await test.send('/v1/compact', { method: 'POST' }))).toBe('invalid_request');
  });

  it('refuses JSON that is nested too deeply for those who walk it', async () => {
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    const response = await (await app()).post('/v1/commit-turn', commit(`{"role":"user","content":${deep}}`));
    expect(await codeOf(response)).toBe('invalid_json');
  });

  it('survives brackets nested a million deep', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const response = await test.post('/v1/commit-turn', commit('['.repeat(1_000_000) + ']'.repeat(1_000_000)));
    expect(response.status).toBe(400);
  });
});

describe('messages on their way in', () => {
  it('keep the order of their keys and the keys that hosts hide things in', async () => {
    const test = await app();
    const text =
      '{"zeta":1,"role":"user","__openclaw":{"id":"e1","seq":3},"content":[{"type":"text","text":"hi","textSignature":"{\\"v\\":1}"}],"alpha":null}';
    expect((await test.post('/v1/commit-turn', commit(text))).status).toBe(200);
    expect(JSON.stringify(received(test))).toBe(text);
  });

  it.each([
    ['a lone surrogate', '{"role":"user","content":"\\ud83d x"}'],
    ['a NUL character', '{"role":"user","content":"a\\u0000b"}'],
    ['an own key __proto__', '{"__proto__":{"polluted":true},"role":"user","constructor":{"prototype":{}}}'],
    ['an emoji and right-to-left marks', '{"role":"user","content":"👩‍💻 \u202eabc"}'],
  ])('keep %s', async (_, text) => {
    const test = await app();
    const response = await test.post('/v1/commit-turn', commit(text));
    expect(response.status).toBe(200);
    expect(JSON.stringify(received(test))).toBe(text);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('do not let __proto__ beside the messages reach the request', async () => {
    const test = await app();
    await test.post('/v1/commit-turn', commit('{"role":"user"}').replace('{', '{"__proto__":{"is_heartbeat":true},'));
    const body = test.calls[0]?.input.body as { is_heartbeat?: boolean };
    expect(body.is_heartbeat).toBeUndefined();
  });

  it('answer strings with lone surrogates as JSON that every parser takes', async () => {
    const test = await createTestApp({
      dataDir: await temporaryDirectory(),
      engine: { session: async ({ params }) => ({ session_id: `${(params as { id: string }).id}\ud83d` }) },
    });
    const response = await test.send('/v1/sessions/x');
    expect(await response.text()).toBe('{"session_id":"x\\ud83d"}');
  });
});

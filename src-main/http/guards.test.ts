import { describe, expect, it } from 'vitest';
import { createTestApp, testPort, type TestApp } from './testing/test-app.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

async function app(): Promise<TestApp> {
  return createTestApp({ dataDir: await temporaryDirectory() });
}

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { ok: unknown; error: { code: unknown } };
  expect(body.ok).toBe(false);
  return body.error.code;
}

describe('who may call', () => {
  it.each([
    'evil.example',
    `evil.example:${testPort}`,
    '127.0.0.1',
    `127.0.0.1:${testPort + 1}`,
    `127.0.0.1.evil.example:${testPort}`,
    `0.0.0.0:${testPort}`,
    `localhost.:${testPort}`,
    `127.0.0.1:${testPort}@evil.example`,
  ])('refuses the host %s, also on the route without a token', async (host) => {
    const response = await (await app()).send('/health', { headers: { Host: host } });
    expect(response.status).toBe(403);
    expect(await codeOf(response)).toBe('forbidden_host');
  });

  it('refuses a request without a Host header', async () => {
    const response = await (await app()).send('/health', { headers: { Host: '' } });
    expect(await codeOf(response)).toBe('forbidden_host');
  });

  it.each([`127.0.0.1:${testPort}`, `localhost:${testPort}`, `LOCALHOST:${testPort}`, `[::1]:${testPort}`])(
    'serves the host %s',
    async (host) => {
      expect((await (await app()).send('/health', { headers: { Host: host } })).status).toBe(200);
    },
  );

  it('looks at the Host before anything else', async () => {
    const response = await (
      await app()
    ).send('/v1/nothing', { headers: { Host: 'evil.example', Authorization: '', Origin: 'http://evil.example' } });
    expect(await codeOf(response)).toBe('forbidden_host');
  });

  it.each([
    'http://evil.example',
    'null',
    `https://127.0.0.1:${testPort}`,
    `http://127.0.0.1:${testPort}.evil.example`,
  ])('refuses the origin %s', async (origin) => {
    const response = await (await app()).send('/health', { headers: { Origin: origin } });
    expect(response.status).toBe(403);
    expect(await codeOf(response)).toBe('forbidden_origin');
  });

  it.each([`http://127.0.0.1:${testPort}`, `http://localhost:${testPort}`])('serves the origin %s', async (origin) => {
    expect((await (await app()).send('/health', { headers: { Origin: origin } })).status).toBe(200);
  });

  it.each(['cross-site', 'same-site', 'odd'])('refuses Sec-Fetch-Site: %s', async (site) => {
    const response = await (await app()).send('/health', { headers: { 'Sec-Fetch-Site': site } });
    expect(await codeOf(response)).toBe('forbidden_origin');
  });

  it.each(['same-origin', 'none'])('serves Sec-Fetch-Site: %s', async (site) => {
    expect((await (await app()).send('/health', { headers: { 'Sec-Fetch-Site': site } })).status).toBe(200);
  });

  it.each([
    ['no token', ''],
    ['a wrong token of the same length', `Bearer ${'b'.repeat(64)}`],
    ['a wrong token of another length', 'Bearer b'],
    ['an empty token', 'Bearer '],
    ['another scheme', `Basic ${'a'.repeat(64)}`],
    ['the token twice', `Bearer ${'a'.repeat(64)} ${'a'.repeat(64)}`],
    ['the bare token', 'a'.repeat(64)],
  ])('refuses %s and says which scheme it wants', async (_, authorization) => {
    const test = await app();
    const response = await test.send('/v1/sessions', { headers: { Authorization: authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await codeOf(response)).toBe('unauthorized');
    expect(test.calls).toEqual([]);
  });

  it('does not take the token from the URL', async () => {
    const response = await (
      await app()
    ).send(`/v1/sessions?token=${'a'.repeat(64)}`, { headers: { Authorization: '' } });
    expect(response.status).toBe(401);
  });

  it('answers no CORS header, whatever the origin, also to a preflight', async () => {
    const test = await app();
    const responses = await Promise.all([
      test.send('/health'),
      test.send('/health', { headers: { Origin: `http://127.0.0.1:${testPort}` } }),
      test.send('/v1/assemble', { method: 'OPTIONS', headers: { Origin: 'http://evil.example' } }),
      test.send('/v1/assemble', { method: 'OPTIONS' }),
    ]);
    for (const response of responses) {
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(responses.map((response) => response.status)).toEqual([200, 200, 403, 405]);
  });

  it('never writes a token or a code to the log', async () => {
    const test = await app();
    await test.send('/v1/sessions', { headers: { Authorization: 'Bearer wrong-secret-token' } });
    await test.post('/v1/inspector/sessions', { code: 'wrong-secret-code' });
    expect(JSON.stringify(test.logLines)).not.toContain('secret');
    expect(test.logLines.length).toBeGreaterThan(0);
  });
});

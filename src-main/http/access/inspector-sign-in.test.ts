import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestApp, testPort, type TestApp } from '../testing/test-app.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const start = Date.parse('2026-11-02T10:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;

async function makeCode(test: TestApp): Promise<string> {
  const { url } = (await (await test.send('/v1/inspector/links', { method: 'POST' })).json()) as { url: string };
  const code = new RegExp(`^http://127\\.0\\.0\\.1:${testPort}/#code=([\\w-]{43})$`).exec(url)?.[1];
  if (!code) throw new Error(`not a link: ${url}`);
  return code;
}

async function signIn(test: TestApp, code: string): Promise<Response> {
  return test.post('/v1/inspector/sessions', { code }, { headers: { Authorization: '' } });
}

async function sessionToken(test: TestApp): Promise<string> {
  const response = await signIn(test, await makeCode(test));
  expect(response.status).toBe(200);
  return ((await response.json()) as { token: string }).token;
}

async function statusWith(test: TestApp, token: string): Promise<number> {
  return (await test.send('/v1/sessions', { headers: { Authorization: `Bearer ${token}` } })).status;
}

describe('signing in to the inspector', () => {
  it('makes links only for who has the token', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const response = await test.send('/v1/inspector/links', { method: 'POST', headers: { Authorization: '' } });
    expect(response.status).toBe(401);
  });

  it('trades a code for a token that opens everything', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const token = await sessionToken(test);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await statusWith(test, token)).toBe(200);
    expect(await statusWith(test, `${token.slice(0, -1)}x`)).toBe(401);
  });

  it('takes each code once, also when two send it at the same time', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const code = await makeCode(test);
    const both = await Promise.all([signIn(test, code), signIn(test, code)]);
    expect(both.map((response) => response.status).sort()).toEqual([200, 401]);
    expect((await signIn(test, code)).status).toBe(401);
  });

  it('takes a code for ten minutes', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    test.setTime(start);
    const [first, second] = [await makeCode(test), await makeCode(test)];
    test.setTime(start + 10 * minute - 1);
    expect((await signIn(test, first)).status).toBe(200);
    test.setTime(start + 10 * minute);
    expect((await signIn(test, second)).status).toBe(401);
  });

  it('stops listening to wrong codes after twenty in a minute', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    test.setTime(start);
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await signIn(test, `wrong${i}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    test.setTime(start + minute);
    expect((await signIn(test, await makeCode(test))).status).toBe(200);
  });

  it('is guarded against other web pages', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const code = await makeCode(test);
    const response = await test.post(
      '/v1/inspector/sessions',
      { code },
      { headers: { Authorization: '', Origin: 'http://evil.example' } },
    );
    expect(response.status).toBe(403);
    expect((await signIn(test, code)).status).toBe(200);
  });

  it('lasts over a restart, for 30 days', async () => {
    const dataDir = await temporaryDirectory();
    const before = await createTestApp({ dataDir });
    before.setTime(start);
    const token = await sessionToken(before);
    const after = await createTestApp({ dataDir });
    after.setTime(start + 30 * day - 1);
    expect(await statusWith(after, token)).toBe(200);
    after.setTime(start + 30 * day);
    expect(await statusWith(after, token)).toBe(401);
  });

  it('keeps no token on disk, and the file to its owner', async () => {
    const dataDir = await temporaryDirectory();
    const token = await sessionToken(await createTestApp({ dataDir }));
    const path = join(dataDir, 'inspector-sessions.json');
    expect(await readFile(path, 'utf8')).not.toContain(token);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('keeps all sessions that are made at the same time', async () => {
    const dataDir = await temporaryDirectory();
    const test = await createTestApp({ dataDir });
    const tokens = await Promise.all(Array.from({ length: 8 }, async () => sessionToken(test)));
    const restarted = await createTestApp({ dataDir });
    expect(await Promise.all(tokens.map(async (token) => statusWith(restarted, token)))).toEqual(Array(8).fill(200));
  });

  it('keeps the newest hundred sessions', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const tokens: string[] = [];
    for (let i = 0; i < 101; i += 1) tokens.push(await sessionToken(test));
    expect(await statusWith(test, tokens[0] ?? '')).toBe(401);
    expect(await statusWith(test, tokens[1] ?? '')).toBe(200);
  });

  it.each(['', '{', '[]', '{"version":2,"sessions":[]}', '{"version":1,"sessions":[{"hash":1}]}'])(
    'starts anew over a damaged file: %j',
    async (text) => {
      const dataDir = await temporaryDirectory();
      await writeFile(join(dataDir, 'inspector-sessions.json'), text);
      const test = await createTestApp({ dataDir });
      expect(test.logLines.map((line) => line['event'])).toContain('inspector_sessions_unreadable');
      expect(await statusWith(test, await sessionToken(test))).toBe(200);
    },
  );
});

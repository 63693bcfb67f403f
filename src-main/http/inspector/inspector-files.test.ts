import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

async function served(): Promise<TestApp> {
  const base = await temporaryDirectory();
  const inspectorDir = join(base, 'renderer');
  await mkdir(join(inspectorDir, 'assets'), { recursive: true });
  await mkdir(join(base, 'renderer-other'));
  await writeFile(join(inspectorDir, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(inspectorDir, 'assets', 'main-abc123.js'), 'export {};');
  await writeFile(join(inspectorDir, 'icon.svg'), '<svg/>');
  await writeFile(join(base, 'token'), 'secret');
  await writeFile(join(base, 'renderer-other', 'file.txt'), 'secret');
  await symlink(join(base, 'token'), join(inspectorDir, 'assets', 'link.js'));
  return createTestApp({ dataDir: base, inspectorDir });
}

const open = { headers: { Authorization: '' } };

describe('the files of the inspector', () => {
  it('are served without a token, the page never cached', async () => {
    const response = await (await served()).send('/', open);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('<title>page</title>');
  });

  it('carry the content policy, and may not be framed', async () => {
    const { headers } = await (await served()).send('/', open);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; " +
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-src 'none'; " +
        "frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('are kept for ever when their name has a hash', async () => {
    const { headers } = await (await served()).send('/assets/main-abc123.js', open);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('have their own content types', async () => {
    expect((await (await served()).send('/icon.svg', open)).headers.get('content-type')).toBe('image/svg+xml');
  });

  it.each(['/sessions/abc', '/calls/call_1', '/v1x', '/index.html/'])('answer %s with the page', async (path) => {
    const response = await (await served()).send(path, open);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>page</title>');
  });

  it.each(['/assets/gone-123.js', '/assets/', '/assets', '/gone.css', '/favicon.ico'])(
    'do not pretend that %s is the page',
    async (path) => {
      const response = await (await served()).send(path, open);
      if (path === '/assets') expect(response.status).toBe(200);
      else expect(response.status).toBe(404);
    },
  );

  it.each([
    '/%2e%2e/token',
    '/..%2ftoken',
    '/..%2Frenderer-other%2Ffile.txt',
    '/assets/..%2f..%2ftoken',
    '/%2e%2e%2frenderer-other/file.txt',
    '/..%5ctoken',
    '/assets/%2e%2e/%2e%2e/token',
    '//token',
    '/%2ftoken',
    '/token%00.js',
    '/%00',
    '/%ff',
    '/assets/link.js',
  ])('do not lead out of their folder: %s', async (path) => {
    const response = await (await served()).send(path, open);
    expect(await response.text()).not.toContain('secret');
    expect([200, 404]).toContain(response.status);
  });

  it('say how to build them when they are missing', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const response = await test.send('/', open);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('npm run build');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('are found once they are built, without a restart', async () => {
    const base = await temporaryDirectory();
    const test = await createTestApp({ dataDir: base, inspectorDir: join(base, 'late') });
    expect(await (await test.send('/', open)).text()).toContain('npm run build');
    await mkdir(join(base, 'late'));
    await writeFile(join(base, 'late', 'index.html'), 'built');
    expect(await (await test.send('/', open)).text()).toBe('built');
  });
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppUrl } from './app-origin.ts';
import { serveInspector } from './serve-inspector.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'strata-scheme-'));
  await mkdir(join(dir, 'renderer', 'assets'), { recursive: true });
  await mkdir(join(dir, 'renderer-other'));
  await writeFile(join(dir, 'secret.txt'), 'secret');
  await writeFile(join(dir, 'renderer-other', 'secret.js'), 'secret');
  await writeFile(join(dir, 'renderer', 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(dir, 'renderer', 'assets', 'index-1a.js'), 'export {}');
  await symlink(join(dir, 'secret.txt'), join(dir, 'renderer', 'leak.txt'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const ask = (path: string, init?: RequestInit) =>
  serveInspector(join(dir, 'renderer'))(new Request(`app://inspector${path}`, init));

describe('the app scheme', () => {
  it('answers the page and its files with a policy that allows no connection', async () => {
    const page = await ask('/');
    expect(await page.text()).toContain('<title>page');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'none'");
    expect(policy).not.toContain('unsafe-eval');
    const script = await ask('/assets/index-1a.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('opens the page for the deep links of the inspector', async () => {
    expect(await (await ask('/sessions/abc')).text()).toContain('<title>page');
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%2frenderer-other%2fsecret.js',
    '//etc/passwd.txt',
    '/%2fetc%2fhostname.txt',
    '/leak.txt',
    '/%00.txt',
    '/%zz.txt',
  ])('never leaves the build: %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('refuses %s', async (method) => {
    expect((await ask('/', { method })).status).toBe(405);
  });

  it('answers no other host of the scheme', async () => {
    const answer = await serveInspector(join(dir, 'renderer'))(new Request('app://elsewhere/index.html'));
    expect(answer.status).toBe(404);
  });
});

describe('isAppUrl', () => {
  it.each(['app://inspector', 'app://inspector/', 'app://inspector/sessions/x?y#z'])('takes %s', (url) => {
    expect(isAppUrl(url)).toBe(true);
  });

  it.each([
    'app://inspector.evil.example/',
    'app://evil/?app://inspector',
    'app://user@inspector/',
    'app://inspector:80/',
    'https://inspector/',
    'https://evil.example/?next=app://inspector/',
    'file:///app://inspector/',
    'javascript:alert(1)//app://inspector',
    'about:blank',
    '',
  ])('refuses %s', (url) => {
    expect(isAppUrl(url)).toBe(false);
  });
});

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { repositoryRoot } from '../../repository-root.ts';
import { cliAt } from '../testing/cli-at.ts';

const uri = 'strata://user/default/memories/preferences/theme';
let dataDir = '';
let host: Host;

const env = () => ({ HOME: dataDir, STRATA_HOME: dataDir, PATH: '/nonexistent' });

const cli = cliAt(() => dataDir);

/** The command as a program of its own, with something on its standard input. */
async function piped(input: string, ...args: string[]) {
  const main = join(repositoryRoot(), 'src-main', 'cli', 'main.ts');
  const child = spawn(process.execPath, [main, ...args], { env: env(), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-pages-'));
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
});
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('pages are written from standard input, shown, and told with their history', async () => {
  const first = await piped('---\ntitle: Theme\n---\n\nDark.\n', 'pages', 'edit', uri, '--reason', 'as told');
  expect([first.out.trim(), first.err]).toEqual([
    `${uri} is version 1 now, in memories/users/default/preferences/theme.md.`,
    '',
  ]);
  await piped(
    '---\ntitle: Theme\n---\n\nLight \u001b[31m.\n',
    'pages',
    'edit',
    'memories/users/default/preferences/theme.md',
  );
  const late = await piped('x', 'pages', 'edit', uri, '--base', '1');
  expect(late.err).toContain('version 2 now');
  const shown = await cli('pages', 'show', uri);
  expect(shown.out).toContain('Theme (preference, active, version 2');
  expect(shown.out).not.toContain('\u001b');
  expect((await cli('pages', 'show', uri, '--at', '1', '--raw')).out.trim()).toBe('---\ntitle: Theme\n---\n\nDark.');
  expect((await cli('pages', 'list')).out).toMatch(
    /^PATH [^]*\nmemories\/users\/default\/preferences\/theme\.md +preference +Theme/,
  );
  const history = JSON.parse((await cli('pages', 'history', uri, '--json')).out);
  expect(history.items.map((row: { version: number; reason?: string }) => [row.version, row.reason])).toEqual([
    [2, undefined],
    [1, 'as told'],
  ]);
});

it('a version is restored, a page retired, and removed for good only when that is confirmed', async () => {
  await host.api.savePage({
    params: { uri: 'strata://resources/note' },
    query: {},
    body: { content: 'One.\n', author: 'user' },
  });
  await piped('Two.\n', 'pages', 'edit', 'note.md');
  expect((await cli('pages', 'restore', 'note', '1')).out).toContain('version 3 now');
  expect(await readFile(join(dataDir, 'workspace', 'note.md'), 'utf8')).toBe('One.\n');
  expect((await cli('pages', 'retire', 'note')).out).toContain('is retired');
  expect(await cli('pages', 'forget', 'note')).toMatchObject({ code: 1 });
  const forgotten = await cli('pages', 'forget', 'note', '--confirm', 'note');
  expect(forgotten.out).toMatch(/^Removed 1 file, 4 versions, 3 contents.*\.\nWhat may still hold it:\n/);
  expect(await cli('pages', 'show', 'note')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no page'),
  });
});

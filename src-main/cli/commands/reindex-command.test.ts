import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { openSessionStore } from '../../store/open-session-store.ts';
import { cliAt } from '../testing/cli-at.ts';

let dataDir = '';
let host: Host;

const cli = cliAt(() => dataDir);

const start = async () => {
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-reindex-'));
  await start();
  const uri = 'strata://user/default/memories/preferences/tea';
  const body = { title: 'Tea', kind: 'preference', truth: 'Ann likes oolong.' };
  const saved = await fetch(`${host.url}/v1/pages/${encodeURIComponent(uri)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(saved.status).toBe(200);
});
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('reindex waits until the index is there, and says what is in it', async () => {
  const { code, out } = await cli('reindex');
  expect([code, out]).toEqual([0, expect.stringMatching(/^The index was built anew: \d+ pages?, 0 turns\.\n$/)]);
  const { code: jsonCode, out: json } = await cli('reindex', '--json');
  expect([jsonCode, JSON.parse(json)]).toMatchObject([0, { type: 'memory.reindex', state: 'succeeded' }]);
});

it('reindex --no-wait names the job', async () => {
  const { code, out } = await cli('reindex', '--no-wait');
  expect([code, out]).toEqual([0, expect.stringMatching(/^Job \S+ builds the index anew; .*jobs show/)]);
  const [, id = ''] = /^Job (\S+)/.exec(out) ?? [];
  expect((await cli('jobs', 'show', id)).out).toContain('memory.reindex');
});

it('reindex ends with 3 where no daemon runs', async () => {
  const none = await mkdtemp(join(tmpdir(), 'strata-cli-none-'));
  expect(await cli('reindex', '--data-dir', none)).toMatchObject({ code: 3 });
  await rm(none, { recursive: true, force: true });
});

it('pages that were given up show in health, in status and in doctor, until reindex --retry-dead', async () => {
  await host.close();
  const store = openSessionStore({ dataDir, backups: 1 });
  const long = Date.now() - 600_000;
  store.outbox.put(['strata://user/default/memories/preferences/later'], 'put', long);
  const [later] = store.outbox.due(Date.now(), 100).slice(-1);
  if (!later) throw new Error('one waits');
  store.outbox.failed(later, Date.now() + 3_600_000, 'cannot be read', false);
  await store.close();
  await start();
  const health = async () => (await (await fetch(`${host.url}/health`)).json()) as Awaited<ReturnType<Host['api']['health']>>; // prettier-ignore
  const { index, alarms } = await health();
  expect(index).toMatchObject({ waiting: 1, dead: 0, oldest_at: new Date(long).toISOString() });
  expect(alarms).toContainEqual(
    expect.objectContaining({ code: 'index_behind', message: expect.stringContaining('1 changed page') }),
  );
  expect((await cli('doctor', '--no-host')).out).toMatch(/! 1 changed page/);
  expect((await cli('status')).out).toMatch(/! 1 changed page/);
  expect((await cli('reindex', '--retry-dead')).out).toBe('No page had been given up.\n');
});

it('doctor tells of the workspace, the index and the embedder, and what to do about each', async () => {
  const checks = async () =>
    Object.fromEntries(
      (JSON.parse((await cli('doctor', '--no-host', '--json')).out) as { checks: { id: string; state: string }[] }).checks.map((check) => [check.id, check]),
    ); // prettier-ignore
  expect(await checks()).toMatchObject({ workspace: { state: 'ok' }, embedder: { state: 'ok' } });
  await writeFile(join(dataDir, 'a-file'), '');
  await writeFile(
    join(dataDir, 'config.yaml'),
    'memory:\n  workspace: a-file\nembedder:\n  provider: openai-compatible\n  base_url: http://127.0.0.1:9/v1\n  model: m\n  api_key: sk-not-told\n',
  );
  const found = await checks();
  expect(found).toMatchObject({
    workspace: { state: 'failed', remedy: expect.stringContaining('memory.workspace') },
    embedder: { state: 'warning', remedy: expect.stringContaining('config.yaml') },
  });
  expect(JSON.stringify(found)).not.toContain('sk-not-told');
});

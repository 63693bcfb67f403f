import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { openSessionStore } from '../../store/open-session-store.ts';
import { sampleIdentity } from '../../store/testing/samples.ts';
import { cliAt } from '../testing/cli-at.ts';

let dataDir = '';
let host: Host;

const cli = cliAt(() => dataDir);

const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

/** What an earlier process left: a job that is dead, one that waits, and one of a type that nobody does any more. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-jobs-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  await store.openSession(sampleIdentity(), 1_000, 'sess_1');
  const common = { payload: { range: [1, 40] }, priority: 0, maxAttempts: 3, timeoutMs: 60_000, at: Date.now() };
  await store.jobs.enqueue({ ...common, jobId: 'job_dead', type: 'gone', sessionUid: 'sess_1' });
  const lease = await store.jobs.claim({ types: ['gone'], workerId: 'w', leaseMs: 1_000, now: Date.now() });
  if (!lease) throw new Error('nothing to claim');
  await store.jobs.heartbeat(lease, { leaseMs: 1, now: Date.now(), progress: { done: 10, total: 40, note: 'turns' } });
  await store.jobs.fail(lease, { error: 'The model said no.', outcome: 'failed', next: 'dead' }, Date.now());
  await store.jobs.enqueue({ ...common, jobId: 'job_later', type: 'later', runAfter: Date.now() + 7_200_000 });
  await store.jobs.enqueue({ ...common, jobId: 'job_idle', type: 'idle' });
  const vain = { ...common, type: 'vain', sessionUid: 'sess_1', payload: { trigger: 'turns' }, at: Date.now() + 1_000 };
  await store.jobs.enqueue({ ...vain, jobId: 'job_vain' });
  const begun = await store.jobs.claim({ types: ['vain'], workerId: 'w', leaseMs: 1_000, now: Date.now() + 2_000 });
  if (!begun) throw new Error('nothing to claim');
  await store.jobs.complete(begun, { compacted: false, reason: 'already_compacted' }, Date.now() + 2_000);
  await store.close();
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
});
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('jobs lists background work for people and for programs', async () => {
  const { out, code } = await cli('jobs');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^JOB +TYPE +SESSION +STATE +TRIES +PROGRESS +NEXT +MADE +REMARK\njob_vain .*\njob_idle +idle +queued +0\/3 +at once/,
  );
  expect(out).toMatch(/job_later +later +queued +0\/3 +in 2 h/);
  expect(out).toMatch(/job_dead +gone +sess_1 +dead +1\/3 +10\/40 .*The model said no\./);
  // A second may pass between the two.
  const ageless = (text: string): string => text.replace(/\d+ s ago */g, 'ago ');
  expect(ageless((await cli('jobs', 'list')).out)).toBe(ageless(out));
  expect(await json('jobs')).toMatchObject({
    total: 4,
    items: [{ job_id: 'job_vain' }, { job_id: 'job_idle' }, {}, { state: 'dead' }],
  });
});

it('jobs tells what set a job off, and that it did nothing, and why', async () => {
  expect((await cli('jobs')).out).toMatch(
    /job_vain +vain \(turns\) +sess_1 +succeeded .* did nothing: already compacted/,
  );
  expect((await cli('jobs', 'show', 'job_vain')).out).toContain('\nIt did nothing: already compacted\n');
  expect((await json('jobs')).items[0]).toMatchObject({ trigger: 'turns', reason: 'already_compacted' });
});

it('jobs says that there are none', async () => {
  const other = await mkdtemp(join(tmpdir(), 'strata-cli-no-jobs-'));
  const empty = await startHost({ dataDir: other, port: 0, mode: 'headless', version: productVersion });
  expect((await cli('jobs', '--data-dir', other)).out).toBe('No background jobs.\n');
  await empty.close();
  await rm(other, { recursive: true, force: true });
});

it('jobs list takes filters and pages', async () => {
  const ids = async (...args: string[]) =>
    (await json('jobs', 'list', ...args)).items.map((job: { job_id: string }) => job.job_id);
  expect(await ids('--state', 'queued')).toEqual(['job_idle', 'job_later']);
  expect(await ids('--type', 'later')).toEqual(['job_later']);
  expect(await ids('--session', 'session-1')).toEqual(['job_vain', 'job_dead']);
  expect(await ids('--limit', '1')).toEqual(['job_vain']);
  expect((await cli('jobs', '--limit', '1')).err).toContain('1 of 4');
  expect((await cli('jobs', '--type', 'nothing')).out).toBe('No such background jobs.\n');
  expect(await cli('jobs', '--state', 'tired')).toMatchObject({ code: 2 });
});

it('jobs show tells what a job is to do and what became of its attempts', async () => {
  const { out } = await cli('jobs', 'show', 'job_dead');
  expect(out).toContain('Job job_dead · gone · dead · 1 of 3 attempts\nSession: sess_1\nProgress: 10/40 turns\n');
  expect(out).toContain('Last error: The model said no.\nPayload: {"range":[1,40]}\n');
  expect(out).toMatch(/1 +failed +\d+ s ago +\d+ +The model said no\./);
  expect((await cli('jobs', 'show', 'job_idle')).out).toContain('It has not begun yet.');
  expect(await json('jobs', 'show', 'job_dead')).toMatchObject({ history: [{ number: 1, outcome: 'failed' }] });
  const missing = await cli('jobs', 'show', 'job_x');
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no job "job_x"')]);
  for (const what of ['show', 'retry', 'cancel'])
    expect((await cli('jobs', what, 'job_x')).err).toContain('"npm run strata -- jobs" lists those there are');
});

it('a dead job is an alarm until it is retried or cancelled', async () => {
  const alarms = async () =>
    (await host.api.health({ params: {}, query: {}, body: {} })).alarms.filter(({ code }) => code === 'jobs_dead');
  expect(await alarms()).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('(gone) with: The model said no.') },
  ]);
  expect((await cli('jobs', 'retry', 'job_dead')).out).toContain('is queued');
  expect(await alarms()).toEqual([]);
  expect(await json('jobs', 'show', 'job_dead')).toMatchObject({ state: 'queued', attempts: 0 });
  expect((await cli('jobs', 'cancel', 'job_dead')).out).toBe('Job job_dead is cancelled.\n');
});

it('retry and cancel say why they cannot', async () => {
  const again = await cli('jobs', 'retry', 'job_idle');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('It is queued')]);
  expect(await json('jobs', 'cancel', 'job_later')).toMatchObject({ state: 'cancelled' });
  expect(await json('jobs', 'cancel', 'job_later')).toMatchObject({
    ok: false,
    error: { code: 'job_not_cancellable' },
  });
  expect(await cli('jobs', 'retry')).toMatchObject({ code: 2 });
});

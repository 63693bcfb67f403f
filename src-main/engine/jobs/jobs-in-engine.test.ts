import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { PermanentJobError } from './permanent-job-error.ts';

it('the engine runs jobs; the routes show them, page by page and as filtered', async () => {
  const fixture = await openEngineFixture({ config: { jobs: { concurrency: 1 } } });
  const { jobs } = fixture.engine;
  jobs.register('greet', async (job, { progress }) => {
    progress(1, 1, 'said');
    return { said: job.payload };
  });
  const payload = { to: 'you' };
  const { job } = await jobs.enqueue({ type: 'greet', payload, sessionUid: 'sess_1', idempotencyKey: 'once' });
  await jobs.enqueue({ type: 'later', payload: null, runAfter: fixture.clock.now() + 60_000 });
  await jobs.settled();
  const now = new Date(fixture.clock.now()).toISOString();
  const { history, payload: shown, result, ...summary } = await fixture.send('job', { params: { id: job.jobId } });
  expect(summary).toEqual({
    job_id: job.jobId, type: 'greet', state: 'succeeded', session_uid: 'sess_1', idempotency_key: 'once', priority: 0,
    attempts: 1, max_attempts: 5, timeout_ms: 600_000, progress: { done: 1, total: 1, note: 'said' },
    cancel_requested: false, created_at: now, started_at: now, finished_at: now,
  }); // prettier-ignore
  expect([shown, result]).toEqual([payload, { said: payload }]);
  expect(history).toEqual([{ number: 1, started_at: now, ended_at: now, outcome: 'succeeded', error: undefined }]);

  const first = await fixture.send('jobs', { query: { limit: '1' } });
  expect(first).toMatchObject({ total: 2, items: [{ type: 'later', state: 'queued' }] });
  expect(first.items[0]?.next_attempt_at).toBe(new Date(fixture.clock.now() + 60_000).toISOString());
  const second = await fixture.send('jobs', { query: { limit: '1', cursor: first.next_cursor ?? '' } });
  expect(second.items).toEqual([summary]);
  expect((await fixture.send('jobs', { query: { session_uid: 'sess_1', state: 'succeeded' } })).items).toEqual([
    summary,
  ]);
  await expect(fixture.send('job', { params: { id: 'job_99' } })).rejects.toMatchObject({ code: 'unknown_job' });
});

it('a job that gave up is an alarm, also after a restart, until somebody retries it', async () => {
  const fixture = await openEngineFixture();
  const alarms = async () => (await fixture.send('health', {})).alarms.filter(({ code }) => code === 'jobs_dead');
  fixture.engine.jobs.register('hopeless', () => Promise.reject(new PermanentJobError('no such thing')));
  const { job } = await fixture.engine.jobs.enqueue({ type: 'hopeless', payload: null });
  await fixture.engine.jobs.settled();
  const alarm = {
    severity: 'warning',
    message: '1 background job gave up, the last one (hopeless) with: no such thing',
  };
  expect(await alarms()).toMatchObject([alarm]);
  expect(fixture.events).toContainEqual({ type: 'health.changed' });
  await fixture.reopen();
  await vi.waitFor(async () => expect(await alarms()).toMatchObject([alarm]));
  await fixture.send('retryJob', { params: { id: job.jobId } });
  expect(await alarms()).toEqual([]);
  await fixture.send('cancelJob', { params: { id: job.jobId } });
  await expect(fixture.send('cancelJob', { params: { id: job.jobId } })).rejects.toMatchObject({
    code: 'job_not_cancellable',
  });
});

it('closing the engine gives running jobs back; the next one goes on with them', async () => {
  const fixture = await openEngineFixture();
  fixture.engine.jobs.register('long', async (_, { signal }) => {
    await once(signal, 'abort');
    throw new Error('interrupted');
  });
  const { job } = await fixture.engine.jobs.enqueue({ type: 'long', payload: null });
  await vi.waitFor(() => expect(fixture.events).toContainEqual(expect.objectContaining({ state: 'running' })));
  await fixture.reopen();
  fixture.engine.jobs.register('long', async (again) => again.attempts);
  await vi.waitFor(async () =>
    expect(await fixture.send('job', { params: { id: job.jobId } })).toMatchObject({
      result: 1,
      history: [{ outcome: 'released' }, { outcome: 'succeeded' }],
    }),
  );
});

import { describe, expect, it } from 'vitest';
import type { JobSummary } from '../../src-shared/model/job.ts';
import { scriptedClient } from '../client/testing/scripted-client.ts';
import { createJobStores } from './create-job-stores.ts';

const summary = (job_id: string, state: JobSummary['state']): JobSummary => ({
  job_id,
  type: 'compact',
  state,
  priority: 0,
  attempts: 0,
  max_attempts: 3,
  timeout_ms: 1_000,
  cancel_requested: false,
  created_at: '2026-11-03T10:00:00Z',
});

function stores(items: readonly JobSummary[]) {
  const client = scriptedClient({ jobs: () => ({ items, total: items.length }) });
  const soon: (() => void)[] = [];
  const made = createJobStores(
    client,
    () => 0,
    (job) => () => void soon.push(job),
  );
  return { client, soon, made };
}

describe('the stores of background work', () => {
  it('ask for what the filter names', async () => {
    const { client, made } = stores([]);
    await made.list({ state: 'dead', type: 'compact' }).load();
    expect(client.calls[0]?.input.query).toMatchObject({ state: 'dead', type: 'compact' });
  });

  it('show what was heard of a job at once, and read the list again soon', async () => {
    const { client, soon, made } = stores([summary('one', 'queued'), summary('two', 'queued')]);
    const jobs = made.list({});
    await jobs.load();
    made.take({
      type: 'job.changed',
      job_id: 'two',
      job_type: 'compact',
      state: 'running',
      progress: { done: 1, total: 4 },
    });
    expect(jobs.getState().items).toMatchObject([
      { job_id: 'one', state: 'queued' },
      { job_id: 'two', state: 'running', progress: { done: 1, total: 4 } },
    ]);
    soon.forEach((job) => job());
    await jobs.load();
    expect(client.calls).toHaveLength(2);
  });

  it('read everything again after a gap', async () => {
    const { client, soon, made } = stores([summary('one', 'queued')]);
    await made.list({}).load();
    made.take({ type: 'missed' });
    soon.forEach((job) => job());
    await made.list({}).load();
    expect(client.calls).toHaveLength(2);
  });
});

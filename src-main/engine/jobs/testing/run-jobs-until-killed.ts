// Child of tests: runs jobs on a data directory until all have ended or the process is killed. Prints a line at each
// step. What the jobs do is a row per step in a table beside the queue's, each written only under the job's lease.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSessionStore } from '../../../store/open-session-store.ts';
import { systemClock } from '../../../system-clock.ts';
import type { JobContext } from '../job-handler.ts';
import { JobRunner } from '../job-runner.ts';
import type { ClaimedJob } from '../../ports/job-queue.ts';

const [dataDir = '', jobCount = '0'] = process.argv.slice(2);
const store = openSessionStore({ dataDir, backups: 1 });
const effects = new Database(join(dataDir, 'strata.db'));
effects.exec('CREATE TABLE IF NOT EXISTS effect (no INTEGER PRIMARY KEY, job_id TEXT, token TEXT, step INTEGER)');
const held = effects.prepare<[string, string]>('SELECT 1 FROM job WHERE job_id = ? AND lease_token = ?');
const insert = effects.prepare<[string, string, number]>('INSERT INTO effect (job_id, token, step) VALUES (?, ?, ?)');
const write = effects.transaction(({ jobId, leaseToken }: ClaimedJob, step: number) => {
  if (held.get(jobId, leaseToken) === undefined) throw new Error('the lease is lost');
  insert.run(jobId, leaseToken, step);
});

const say = (line: string): void => void writeSync(1, `${line}\n`);
const running = new Set<string>();

async function work(job: ClaimedJob, { progress, signal }: JobContext): Promise<{ readonly token: string }> {
  const key = job.singleFlightKey ?? job.jobId;
  if (running.has(key)) say(`DOUBLE ${key}`);
  running.add(key);
  try {
    for (let step = 1; step <= 3; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      signal.throwIfAborted();
      write.immediate(job, step);
      progress(step, 3);
      say(`${job.jobId} ${step}`);
    }
    // Every third job fails at its first attempt.
    if (job.attempts === 1 && Number(job.idempotencyKey) % 3 === 0) throw new Error('not yet');
    return { token: job.leaseToken };
  } finally {
    running.delete(key);
  }
}

const runner = new JobRunner(
  {
    queue: store.jobs,
    clock: systemClock(),
    events: { publish: (event) => event.type === 'job.changed' && say(`${event.job_id} ${event.state}`) },
    log: () => undefined,
  },
  { concurrency: 3, keepDays: 1, progressMs: 1, random: () => 0.001 },
);
runner.register('work', work, { maxAttempts: 4 });
runner.register('poison', () => new Promise(() => process.kill(process.pid, 'SIGKILL')), { maxAttempts: 3 });
// Enqueued again at each start: the key sees to it that there is one of each.
for (let number = 1; number <= Number(jobCount); number += 1) {
  const key = { idempotencyKey: String(number), singleFlightKey: `key-${number % 7}` };
  await runner.enqueue({ type: 'work', payload: { number }, ...key });
}
await runner.enqueue({ type: 'poison', payload: null, idempotencyKey: 'poison', priority: -1 });
runner.start();
for (;;) {
  // Timers of the runner do not keep the process alive; this one does.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { queued, running: begun } = await store.jobs.counts();
  if (queued + begun === 0) break;
}
await runner.stop(1_000);
effects.close();
await store.close();
say('all ended');

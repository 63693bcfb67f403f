import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openSessionStore } from '../../store/open-session-store.ts';
import { checkIntegrity } from '../../store/recovery/check-integrity.ts';
import { startChild, type Child } from '../../store/testing/child-process.ts';
import type { Job, JobAttempt } from '../ports/job-queue.ts';

const kills = 16;
/** Enough that there is work left at each kill. */
const jobCount = 100;

interface Effect {
  readonly job_id: string;
  readonly token: string;
  readonly step: number;
}

/** Lets the child get some random way, then kills it at a random moment; false when it was gone before. */
async function killSomewhere(child: Child): Promise<boolean> {
  try {
    for (let lines = Math.floor(Math.random() * 40); lines >= 0; lines -= 1) {
      const line = await child.nextLine();
      expect(line).not.toMatch(/^DOUBLE/);
      if (line === 'all ended') return false;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
    return true;
  } catch (error) {
    // One of the jobs kills its own process.
    expect(String(error)).toContain('ended without printing');
    return true;
  } finally {
    await child.kill();
  }
}

it(
  'each job finishes exactly once or is visibly dead, wherever the process is killed',
  { timeout: 180_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'strata-jobs-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const start = () => startChild('../../engine/jobs/testing/run-jobs-until-killed.ts', dataDir, String(jobCount));
    let killed = 0;
    while (killed < kills && (await killSomewhere(start()))) killed += 1;
    expect(killed).toBe(kills);
    // Nobody interferes any more, but the job that kills its own process may have attempts left.
    let last = start();
    while ((await last.exited()) !== 0) last = start();

    const file = join(dataDir, 'strata.db');
    const store = openSessionStore({ dataDir, backups: 1 });
    onTestFinished(() => store.close());
    const { items } = await store.jobs.list({ cursor: undefined, limit: 1_000 }, {});
    const db = new Database(file, { readonly: true });
    const effects = db.prepare<[], Effect>('SELECT job_id, token, step FROM effect ORDER BY no').all();
    db.close();
    expect(items).toHaveLength(jobCount + 1);
    for (const job of items) {
      const attempts = (await store.jobs.get(job.jobId))?.attempts ?? [];
      check(job, attempts, effects.filter((effect) => effect.job_id === job.jobId)); // prettier-ignore
    }
    expect(items.find(({ type }) => type === 'poison')).toMatchObject({ state: 'dead', attempts: 3 });
    // Most must come through, else the test looked at nothing but dead ones.
    expect(items.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(jobCount / 2);
    await store.close();
    expect(checkIntegrity(file)).toEqual([]);
  },
);

function check(job: Job, attempts: readonly JobAttempt[], effects: readonly Effect[]): void {
  const ended = attempts.map(({ outcome }) => outcome);
  const before = ended.slice(0, -1);
  for (const outcome of before) expect(['stalled', 'failed']).toContain(outcome);
  expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, index) => index + 1));
  expect(job.attempts).toBe(attempts.length);
  // Nothing was done by an attempt after a later one had begun.
  const order = effects.map(({ token }) => Number(token.split('/').at(-1)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  if (job.state === 'dead') {
    expect(job.attempts).toBe(job.maxAttempts);
    expect(job.lastError).not.toBe('');
    expect(ended.at(-1)).toBe('stalled');
    return;
  }
  expect(job.state).toBe('succeeded');
  expect(ended.at(-1)).toBe('succeeded');
  const { token } = job.result as { readonly token: string };
  expect(effects.slice(-3).map((effect) => [effect.token, effect.step])).toEqual(
    [1, 2, 3].map((step) => [token, step]),
  );
}

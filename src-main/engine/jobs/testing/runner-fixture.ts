import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { LiveEvent } from '../../../../src-shared/model/events.ts';
import type { JobState } from '../../../../src-shared/model/job.ts';
import { openSessionStore } from '../../../store/open-session-store.ts';
import type { Job, JobQueue } from '../../ports/job-queue.ts';
import { scriptedClock } from '../../testing/scripted-clock.ts';
import { JobRunner, type JobRequest, type JobRunnerSettings } from '../job-runner.ts';

export interface RunnerFixtureOptions extends Partial<JobRunnerSettings> {
  /** Around the real queue, to make it fail. */
  readonly wrapQueue?: (queue: JobQueue) => JobQueue;
}

/** A real runner on a real queue in a directory of its own; time and ids are scripted, timers are real. */
export async function openRunnerFixture({ wrapQueue, ...settings }: RunnerFixtureOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-jobs-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  const queue = wrapQueue?.(store.jobs) ?? store.jobs;
  const clock = scriptedClock();
  const events: LiveEvent[] = [];
  const logLines: { level: string; message: string; fields: Readonly<Record<string, unknown>> | undefined }[] = [];
  const dead: [number, string | undefined][] = [];
  const failures: unknown[] = [];
  const runners: JobRunner[] = [];
  /** Another one is as another process on the same directory, after the first has gone. */
  const createRunner = (): JobRunner => {
    const parts = {
      queue,
      clock,
      events: { publish: (event: LiveEvent) => events.push(event) },
      log: (level: string, message: string, fields?: Readonly<Record<string, unknown>>) =>
        logLines.push({ level, message, fields }),
      onDead: (count: number, newest: Job | undefined) => dead.push([count, newest?.jobId]),
      onFailure: (error: unknown) => failures.push(error),
    };
    const runner = new JobRunner(parts, { concurrency: 2, keepDays: 30, random: () => 0.5, ...settings });
    runners.push(runner);
    return runner;
  };
  const runner = createRunner();
  onTestFinished(async () => {
    for (const one of runners) await one.stop(0);
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const find = async (jobId: string): Promise<Job> => {
    const found = await store.jobs.get(jobId);
    if (!found) throw new Error(`There is no job ${jobId}.`);
    return found.job;
  };
  return {
    runner,
    createRunner,
    /** The queue itself, whatever was wrapped around it for the runner. */
    queue: store.jobs,
    clock,
    events,
    logLines,
    dead,
    failures,
    find,
    /** Enqueues a job of type `work`; answers its id. */
    add: async (request: Partial<JobRequest> = {}) =>
      (await runner.enqueue({ type: 'work', payload: null, ...request })).job.jobId,
    /** Waits until the job is in this state. */
    reached: (jobId: string, state: JobState): Promise<Job> =>
      vi.waitFor(
        async () => {
          const job = await find(jobId);
          if (job.state !== state) throw new Error(`${jobId} is ${job.state}, not ${state}`);
          return job;
        },
        { timeout: 10_000, interval: 5 },
      ),
    /** What became of its attempts. */
    outcomes: async (jobId: string) => (await store.jobs.get(jobId))?.attempts.map(({ outcome }) => outcome),
  };
}

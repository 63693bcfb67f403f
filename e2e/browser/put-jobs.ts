import { openSessionStore } from '../../src-main/store/open-session-store.ts';

export interface PutJobs {
  readonly dead: string;
  readonly later: string;
}

/**
 * Puts jobs into the store of a daemon that does not run: one that gave up after three attempts, and one that waits for
 * an hour. Both are compactions of this session.
 */
export async function putJobs(dataDir: string, sessionUid: string): Promise<PutJobs> {
  const store = openSessionStore({ dataDir, backups: 1 });
  const hour = 3_600_000;
  const now = Date.now();
  const job = (jobId: string, at: number) => ({
    jobId,
    type: 'compact',
    payload: { session_uid: sessionUid, trigger: 'budget', sequence: 1_000_000 },
    sessionUid,
    singleFlightKey: `session:${sessionUid}`,
    priority: 0,
    maxAttempts: 3,
    timeoutMs: 900_000,
    at,
  });
  try {
    const failures = [
      'disk_full: the database could not be written, 0 bytes are free on its disk.',
      'model_timeout: no answer within 60 s.',
      'disk_full: the database could not be written, 0 bytes are free on its disk. Free some space and try again.',
    ];
    await store.jobs.enqueue(job('job_dead', now - 2 * hour));
    for (const [index, error] of failures.entries()) {
      const at = now - 2 * hour + index * 90_000;
      const claimed = await store.jobs.claim({ types: ['compact'], workerId: 'test', leaseMs: 60_000, now: at });
      if (claimed === undefined) throw new Error('The job that was put in could not be claimed');
      await store.jobs.fail(
        claimed,
        { error, outcome: index === 1 ? 'timed_out' : 'failed', next: at + 30_000 },
        at + 20_000,
      );
    }
    await store.jobs.enqueue({ ...job('job_later', now - 60_000), singleFlightKey: 'later', runAfter: now + hour });
    return { dead: 'job_dead', later: 'job_later' };
  } finally {
    await store.close();
  }
}

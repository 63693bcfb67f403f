import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedJob, JobQueue, NewJob } from '../../engine/ports/job-queue.ts';

/** One implementation on one place of its own. */
export interface JobQueueSubject {
  /** Opens the queue; called again after `close` it must find what was stored. */
  open(): Promise<{ readonly jobs: JobQueue; close(): Promise<void> }>;
  dispose(): Promise<void>;
}

const hour = 3_600_000;

export function sampleJob(number: number, over: Partial<NewJob> = {}): NewJob {
  return {
    jobId: `job_${number}`,
    type: 'work',
    payload: { number },
    priority: 0,
    maxAttempts: 3,
    timeoutMs: 1_000,
    at: 100 + number,
    ...over,
  };
}

/** What every implementation of the port JobQueue must do, each operation on a fresh and on a reopened queue. */
export function describeJobQueue(name: string, createSubject: () => Promise<JobQueueSubject>): void {
  describe.each(['fresh', 'reopened'] as const)(`JobQueue: ${name} (%s)`, (state) => {
    let subject: JobQueueSubject;
    let opened: Awaited<ReturnType<JobQueueSubject['open']>>;
    let jobs: JobQueue;

    beforeEach(async () => {
      subject = await createSubject();
      opened = await subject.open();
      jobs = opened.jobs;
    });
    afterEach(async () => {
      await opened.close();
      await subject.dispose();
    });

    /** Between acting and looking: the same queue, or one that was closed and opened again. */
    async function settle(): Promise<void> {
      if (state === 'fresh') return;
      await opened.close();
      opened = await subject.open();
      jobs = opened.jobs;
    }

    const claim = (now = 1_000, over: Partial<Parameters<JobQueue['claim']>[0]> = {}) =>
      jobs.claim({ types: ['work'], workerId: 'w1', leaseMs: 100, now, ...over });

    async function claimed(now?: number, over?: Partial<Parameters<JobQueue['claim']>[0]>): Promise<ClaimedJob> {
      const job = await claim(now, over);
      if (!job) throw new Error('nothing to claim');
      return job;
    }

    const job = async (jobId = 'job_1') => (await jobs.get(jobId))?.job;
    const outcomes = async (jobId = 'job_1') =>
      (await jobs.get(jobId))?.attempts.map(({ number, outcome, error }) => [number, outcome, error]);
    const fail = (lease: ClaimedJob, next: number | 'dead', now: number) =>
      jobs.fail(lease, { error: 'broken', outcome: 'failed', next }, now);

    describe('enqueue', () => {
      it('keeps everything that was said of the job', async () => {
        const given = sampleJob(1, {
          payload: { text: '上 \u0000 "', list: [1, null, true], none: null },
          sessionUid: 'sess_1',
          singleFlightKey: 'one',
          idempotencyKey: 'key',
          priority: -5,
          runAfter: 5_000.5,
        });
        const { job: stored, isNew } = await jobs.enqueue(given);
        await settle();
        expect(isNew).toBe(true);
        expect(await job()).toEqual(stored);
        expect(stored).toEqual({
          jobId: 'job_1', type: 'work', state: 'queued', payload: given.payload, sessionUid: 'sess_1',
          singleFlightKey: 'one', idempotencyKey: 'key', priority: -5, attempts: 0, maxAttempts: 3, timeoutMs: 1_000,
          nextAttemptAt: 5_000.5, lastError: undefined, progress: undefined, cancelRequested: false, result: undefined,
          createdAt: 101, startedAt: undefined, finishedAt: undefined,
        }); // prettier-ignore
        expect(await outcomes()).toEqual([]);
      });

      it('answers the first job for a known idempotency key, and leaves it as it is', async () => {
        const first = await jobs.enqueue(sampleJob(1, { idempotencyKey: 'key' }));
        await settle();
        const second = await jobs.enqueue(sampleJob(2, { idempotencyKey: 'key', priority: 9 }));
        expect(second).toEqual({ job: first.job, isNew: false });
        expect((await jobs.list({ cursor: undefined, limit: 9 }, {})).total).toBe(1);
      });

      it('makes one job of many that are enqueued at once with one key', async () => {
        const all = await Promise.all(
          [1, 2, 3, 4, 5].map((number) => jobs.enqueue(sampleJob(number, { idempotencyKey: 'key' }))),
        );
        expect(all.map(({ isNew }) => isNew).filter(Boolean)).toHaveLength(1);
        expect(new Set(all.map((one) => one.job.jobId)).size).toBe(1);
      });

      it('answers a job that ended for its key too, unless a new one is asked for', async () => {
        await jobs.enqueue(sampleJob(1, { idempotencyKey: 'key' }));
        const again = sampleJob(2, { idempotencyKey: 'key', whenFinished: 'new' });
        expect((await jobs.enqueue(again)).isNew).toBe(false);
        await jobs.complete(await claimed(), 'done', 1_001);
        await settle();
        expect(await jobs.enqueue(sampleJob(3, { idempotencyKey: 'key' }))).toMatchObject({
          isNew: false,
          job: { jobId: 'job_1', state: 'succeeded' },
        });
        expect(await jobs.enqueue(again)).toMatchObject({ isNew: true, job: { jobId: 'job_2' } });
        expect((await jobs.enqueue(sampleJob(4, { idempotencyKey: 'key' }))).job.jobId).toBe('job_2');
      });

      it('takes the same key for another type as another job', async () => {
        await jobs.enqueue(sampleJob(1, { idempotencyKey: 'key' }));
        expect((await jobs.enqueue(sampleJob(2, { idempotencyKey: 'key', type: 'other' }))).isNew).toBe(true);
      });

      it.each([
        ['a type that is no name', { type: 'Work now' }],
        ['no attempts', { maxAttempts: 0 }],
        ['half an attempt', { maxAttempts: 1.5 }],
        ['no time', { timeoutMs: 0 }],
        ['a priority that is no number', { priority: NaN }],
        ['a time beyond all dates', { runAfter: 1e17 }],
        ['a payload that is no JSON', { payload: undefined }],
        ['a payload that goes round in circles', { payload: circle() as never }],
        ['a payload that is too long', { payload: 'x'.repeat(1_000_000) }],
      ] satisfies [string, Partial<NewJob>][])('refuses %s', async (_, over) => {
        await expect(jobs.enqueue(sampleJob(1, over))).rejects.toMatchObject({ code: 'invalid_request' });
        expect(await job()).toBeUndefined();
      });
    });

    describe('claim', () => {
      it('takes by priority, then by age, and only the types that the worker knows', async () => {
        await jobs.enqueue(sampleJob(1));
        await jobs.enqueue(sampleJob(2, { priority: 5 }));
        await jobs.enqueue(sampleJob(3, { priority: 5 }));
        await jobs.enqueue(sampleJob(4, { type: 'other', priority: 9 }));
        await settle();
        const order = [];
        for (let next = await claim(); next; next = await claim()) order.push(next.jobId);
        expect(order).toEqual(['job_2', 'job_3', 'job_1']);
        expect(await claim(1_000, { types: [] })).toBeUndefined();
        expect((await claim(1_000, { types: ['x', 'other'] }))?.jobId).toBe('job_4');
      });

      it('counts the attempt and says that it runs', async () => {
        await jobs.enqueue(sampleJob(1));
        const lease = await claimed(2_000);
        await settle();
        const { leaseToken: _, ...rest } = lease;
        expect(await job()).toEqual(rest);
        expect(rest).toMatchObject({ state: 'running', attempts: 1, startedAt: 2_000, nextAttemptAt: undefined });
        expect(await outcomes()).toEqual([[1, 'running', undefined]]);
      });

      it('leaves jobs alone until they are due', async () => {
        await jobs.enqueue(sampleJob(1, { runAfter: 5_000 }));
        await settle();
        expect(await claim(4_999)).toBeUndefined();
        expect((await claim(5_000))?.jobId).toBe('job_1');
      });

      it('begins what is due at once also after the clock went back', async () => {
        await jobs.enqueue(sampleJob(1, { at: 9 * hour }));
        await settle();
        expect((await claim(1))?.jobId).toBe('job_1');
      });

      it('runs one job per single-flight key, and the next when that one has ended', async () => {
        await jobs.enqueue(sampleJob(1, { singleFlightKey: 'sess_1' }));
        await jobs.enqueue(sampleJob(2, { singleFlightKey: 'sess_1', priority: 9, type: 'other' }));
        await jobs.enqueue(sampleJob(3, { singleFlightKey: 'sess_2' }));
        const types = ['work', 'other'];
        const first = await claimed(1_000, { types });
        await settle();
        expect(first.jobId).toBe('job_2');
        expect((await claim(1_000, { types }))?.jobId).toBe('job_3');
        expect(await claim(1_000, { types })).toBeUndefined();
        await jobs.complete(first, null, 1_001);
        expect((await claim(1_001, { types }))?.jobId).toBe('job_1');
      });
    });

    describe('the end of an attempt', () => {
      it('complete keeps the result', async () => {
        await jobs.enqueue(sampleJob(1));
        await jobs.complete(await claimed(1_000), { answer: [42] }, 1_500);
        await settle();
        expect(await job()).toMatchObject({ state: 'succeeded', result: { answer: [42] }, finishedAt: 1_500 });
        expect((await jobs.get('job_1'))?.attempts).toEqual([
          { number: 1, startedAt: 1_000, endedAt: 1_500, outcome: 'succeeded', error: undefined },
        ]);
      });

      it('fail queues it again with the reason, and success forgets the reason', async () => {
        await jobs.enqueue(sampleJob(1));
        await fail(await claimed(), 3_000, 1_100);
        await settle();
        expect(await job()).toMatchObject({ state: 'queued', lastError: 'broken', nextAttemptAt: 3_000, attempts: 1 });
        expect(await claim(2_999)).toBeUndefined();
        await jobs.complete(await claimed(3_000), null, 3_100);
        expect(await job()).toMatchObject({ state: 'succeeded', lastError: undefined, attempts: 2, result: null });
        expect(await outcomes()).toEqual([
          [1, 'failed', 'broken'],
          [2, 'succeeded', undefined],
        ]);
      });

      it('fail makes it dead when the attempts are used up, or when told so', async () => {
        await jobs.enqueue(sampleJob(1, { maxAttempts: 2 }));
        await jobs.enqueue(sampleJob(2, { priority: -1 }));
        await fail(await claimed(1_000), 1_000, 1_000);
        await fail(await claimed(2_000), 2_000, 2_000);
        await fail(await claimed(3_000), 'dead', 3_000);
        await settle();
        expect(await job('job_1')).toMatchObject({
          state: 'dead',
          attempts: 2,
          finishedAt: 2_000,
          lastError: 'broken',
        });
        expect(await job('job_2')).toMatchObject({ state: 'dead', attempts: 1, finishedAt: 3_000 });
        expect(await claim(9 * hour)).toBeUndefined();
      });

      it('release gives the attempt back', async () => {
        await jobs.enqueue(sampleJob(1, { maxAttempts: 1 }));
        await jobs.release(await claimed(), 1_100);
        await settle();
        expect(await job()).toMatchObject({ state: 'queued', attempts: 0, nextAttemptAt: undefined });
        await jobs.complete(await claimed(), null, 1_200);
        expect(await outcomes()).toEqual([
          [1, 'released', undefined],
          [2, 'succeeded', undefined],
        ]);
      });

      it('keeps the newest twenty attempts', async () => {
        await jobs.enqueue(sampleJob(1, { maxAttempts: 30 }));
        for (let number = 1; number <= 25; number += 1) await fail(await claimed(number), number, number);
        await settle();
        const numbers = (await jobs.get('job_1'))?.attempts.map((attempt) => attempt.number);
        expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
      });

      it('cuts long errors, and stores lone surrogates as what they are not', async () => {
        await jobs.enqueue(sampleJob(1));
        const error = '\ud800'.repeat(3_000);
        await jobs.fail(await claimed(), { error, outcome: 'timed_out', next: 'dead' }, 1_000);
        await settle();
        expect((await job())?.lastError).toBe('\ufffd'.repeat(2_000));
      });

      it('refuses a result that is no JSON and lets the worker say something else', async () => {
        await jobs.enqueue(sampleJob(1));
        const lease = await claimed();
        await expect(jobs.complete(lease, circle() as never, 1_000)).rejects.toMatchObject({ code: 'invalid_request' });
        await settle();
        expect((await fail(lease, 'dead', 1_000)).state).toBe('dead');
      });
    });

    describe('leases', () => {
      const ends = {
        complete: (lease: ClaimedJob) => jobs.complete(lease, null, 9_000),
        fail: (lease: ClaimedJob) => fail(lease, 9_000, 9_000),
        release: (lease: ClaimedJob) => jobs.release(lease, 9_000),
      };

      it.each(Object.keys(ends) as (keyof typeof ends)[])(
        '%s of a worker whose job was taken is refused and changes nothing',
        async (end) => {
          await jobs.enqueue(sampleJob(1));
          const old = await claimed(1_000);
          await jobs.requeueStalled({ workerId: 'w2', now: 1_100, all: false });
          const lost = { code: 'lease_lost' };
          await expect(ends[end](old)).rejects.toMatchObject(lost);
          const now = await claimed(1_200, { workerId: 'w1' });
          await settle();
          const before = await jobs.get('job_1');
          await expect(ends[end](old)).rejects.toMatchObject(lost);
          expect(await jobs.get('job_1')).toEqual(before);
          await jobs.complete(now, 'mine', 1_300);
          await expect(ends[end](old)).rejects.toMatchObject(lost);
          await expect(ends[end](now)).rejects.toMatchObject(lost);
          expect(await job()).toMatchObject({ state: 'succeeded', result: 'mine', attempts: 2 });
        },
      );

      it('heartbeat prolongs the lease and keeps the progress', async () => {
        await jobs.enqueue(sampleJob(1));
        const lease = await claimed(1_000);
        const progress = { done: 2, total: 5, note: 'reading' };
        expect(await jobs.heartbeat(lease, { leaseMs: 100, now: 1_090, progress })).toBe('held');
        expect(await jobs.heartbeat(lease, { leaseMs: 100, now: 1_095 })).toBe('held');
        await settle();
        expect(await jobs.requeueStalled({ workerId: 'w2', now: 1_194, all: false })).toEqual([]);
        expect((await job())?.progress).toEqual(progress);
        expect(await jobs.requeueStalled({ workerId: 'w2', now: 1_195, all: false })).toMatchObject([
          { jobId: 'job_1', state: 'queued' },
        ]);
        expect(await jobs.heartbeat(lease, { leaseMs: 100, now: 1_200 })).toBe('lost');
        expect((await job())?.state).toBe('queued');
      });

      it('a job whose lease ran out is queued again at once, its attempt counted, and dead after the last', async () => {
        await jobs.enqueue(sampleJob(1, { maxAttempts: 2 }));
        await claimed(1_000);
        await settle();
        await jobs.requeueStalled({ workerId: 'w2', now: 2_000, all: false });
        expect(await job()).toMatchObject({ state: 'queued', attempts: 1, nextAttemptAt: undefined });
        await claimed(2_000);
        await settle();
        await jobs.requeueStalled({ workerId: 'w2', now: 3_000, all: false });
        expect(await job()).toMatchObject({ state: 'dead', attempts: 2, finishedAt: 3_000 });
        expect((await job())?.lastError).toContain('attempt 2 of 2');
        expect((await outcomes())?.map(([, outcome]) => outcome)).toEqual(['stalled', 'stalled']);
      });

      it('takes all jobs of other workers at once when asked to, and never its own', async () => {
        for (const number of [1, 2, 3]) await jobs.enqueue(sampleJob(number));
        await claimed(1_000, { workerId: 'old', leaseMs: hour });
        await claimed(1_000, { workerId: 'older', leaseMs: hour });
        await claimed(1_000, { workerId: 'me', leaseMs: 1 });
        await settle();
        const taken = await jobs.requeueStalled({ workerId: 'me', now: 2_000, all: true });
        expect(taken.map(({ jobId }) => jobId).sort()).toEqual(['job_1', 'job_2']);
        expect((await job('job_3'))?.state).toBe('running');
      });
    });

    describe('cancel and retry', () => {
      it('cancels a queued job at once', async () => {
        await jobs.enqueue(sampleJob(1));
        await jobs.cancel('job_1', 500);
        await settle();
        expect(await job()).toMatchObject({ state: 'cancelled', finishedAt: 500 });
        expect(await claim()).toBeUndefined();
      });

      it('asks a running job to stop, and calls it cancelled once it has', async () => {
        await jobs.enqueue(sampleJob(1, { singleFlightKey: 'one' }));
        await jobs.enqueue(sampleJob(2, { singleFlightKey: 'one' }));
        const lease = await claimed();
        expect(await jobs.cancel('job_1', 1_010)).toMatchObject({ state: 'running', cancelRequested: true });
        await settle();
        expect(await claim()).toBeUndefined();
        expect(await jobs.heartbeat(lease, { leaseMs: 100, now: 1_020 })).toBe('cancelling');
        await fail(lease, 5_000, 1_030);
        expect(await job()).toMatchObject({ state: 'cancelled', cancelRequested: false, finishedAt: 1_030 });
        expect(await outcomes()).toEqual([[1, 'cancelled', undefined]]);
        expect((await claim())?.jobId).toBe('job_2');
      });

      it('a job that was done before it could stop has succeeded', async () => {
        await jobs.enqueue(sampleJob(1));
        const lease = await claimed();
        await jobs.cancel('job_1', 1_010);
        await jobs.complete(lease, 'done', 1_020);
        await settle();
        expect(await job()).toMatchObject({ state: 'succeeded', cancelRequested: false });
      });

      it('a job that should stop is cancelled when its worker is gone, or gives it back', async () => {
        for (const number of [1, 2]) await jobs.enqueue(sampleJob(number));
        const [, second] = [await claimed(), await claimed()];
        for (const id of ['job_1', 'job_2']) await jobs.cancel(id, 1_010);
        await jobs.release(second, 1_020);
        await settle();
        await jobs.requeueStalled({ workerId: 'w2', now: 1_100, all: true });
        expect([(await job('job_1'))?.state, (await job('job_2'))?.state]).toEqual(['cancelled', 'cancelled']);
      });

      it('puts a dead job aside', async () => {
        await jobs.enqueue(sampleJob(1));
        await fail(await claimed(), 'dead', 1_000);
        await settle();
        expect(await jobs.cancel('job_1', 2_000)).toMatchObject({ state: 'cancelled', lastError: 'broken' });
      });

      it('retries a dead or cancelled job with all its attempts, its history kept', async () => {
        await jobs.enqueue(sampleJob(1, { maxAttempts: 1 }));
        await fail(await claimed(1_000), 'dead', 1_000);
        expect(await jobs.retry('job_1', 2_000)).toMatchObject({ state: 'queued', attempts: 0, finishedAt: undefined });
        await settle();
        await jobs.complete(await claimed(2_000), null, 2_100);
        expect((await outcomes())?.map(([number, outcome]) => [number, outcome])).toEqual([
          [1, 'failed'],
          [2, 'succeeded'],
        ]);
        await jobs.enqueue(sampleJob(2));
        await jobs.cancel('job_2', 3_000);
        await jobs.retry('job_2', 3_100);
        expect((await claim(3_100))?.jobId).toBe('job_2');
      });

      it('brings a job forward that waits for its next attempt', async () => {
        await jobs.enqueue(sampleJob(1));
        await fail(await claimed(), 9 * hour, 1_000);
        expect(await jobs.retry('job_1', 1_001)).toMatchObject({ attempts: 1, nextAttemptAt: undefined });
        await settle();
        expect((await claim(1_002))?.attempts).toBe(2);
      });

      it('refuses to retry what is queued, runs or succeeded, and to cancel what has ended', async () => {
        await jobs.enqueue(sampleJob(1));
        const refused = { code: 'job_not_retriable', details: { job_id: 'job_1' } };
        await expect(jobs.retry('job_1', 1)).rejects.toMatchObject(refused);
        const lease = await claimed();
        await expect(jobs.retry('job_1', 1)).rejects.toMatchObject(refused);
        await jobs.complete(lease, null, 1_000);
        await settle();
        await expect(jobs.retry('job_1', 1)).rejects.toMatchObject(refused);
        await expect(jobs.cancel('job_1', 1)).rejects.toMatchObject({ code: 'job_not_cancellable' });
      });

      it('refuses to retry a job whose key a live one has by now', async () => {
        await jobs.enqueue(sampleJob(1, { idempotencyKey: 'key' }));
        await jobs.cancel('job_1', 1);
        await jobs.enqueue(sampleJob(2, { idempotencyKey: 'key', whenFinished: 'new' }));
        await settle();
        await expect(jobs.retry('job_1', 2)).rejects.toMatchObject({ code: 'job_not_retriable' });
        await jobs.cancel('job_2', 3);
        expect((await jobs.retry('job_1', 4)).state).toBe('queued');
        expect((await jobs.enqueue(sampleJob(3, { idempotencyKey: 'key', whenFinished: 'new' }))).job.jobId).toBe(
          'job_1',
        );
      });

      it('says of a job that it does not know', async () => {
        await expect(jobs.cancel('job_9', 1)).rejects.toMatchObject({ code: 'unknown_job' });
        await expect(jobs.retry('job_9', 1)).rejects.toMatchObject({ code: 'unknown_job' });
        expect(await jobs.get('job_9')).toBeUndefined();
      });
    });

    describe('mendClock', () => {
      it('lets what was made in the future wait from now on, as long as it was to wait then', async () => {
        await jobs.enqueue({ ...sampleJob(1), at: 90_000, runAfter: 95_000 });
        await jobs.enqueue({ ...sampleJob(2), at: 500, runAfter: 95_000 });
        expect(await jobs.mendClock(1_000)).toBe(1);
        expect(await jobs.mendClock(1_000)).toBe(0);
        await settle();
        expect((await jobs.get('job_1'))?.job).toMatchObject({ createdAt: 1_000, nextAttemptAt: 6_000 });
        expect((await jobs.get('job_2'))?.job).toMatchObject({ createdAt: 500, nextAttemptAt: 95_000 });
      });
    });

    describe('nextWakeAt', () => {
      const wake = (types = ['work']) => jobs.nextWakeAt({ types, workerId: 'w1' });

      it('is the time of the first job that may be begun then', async () => {
        expect(await wake()).toBeUndefined();
        await jobs.enqueue(sampleJob(1, { runAfter: 7_000 }));
        await jobs.enqueue(sampleJob(2, { runAfter: 5_000 }));
        await settle();
        expect([await wake(), await wake(['other'])]).toEqual([5_000, undefined]);
        await jobs.enqueue(sampleJob(3));
        expect(await wake()).toBe(0);
      });

      it('does not wake for a job that waits for another one, but for a lease of another worker', async () => {
        await jobs.enqueue(sampleJob(1, { singleFlightKey: 'one' }));
        await jobs.enqueue(sampleJob(2, { singleFlightKey: 'one' }));
        await claimed(1_000);
        await settle();
        expect(await wake()).toBeUndefined();
        expect(await jobs.nextWakeAt({ types: ['work'], workerId: 'w2' })).toBe(1_100);
      });
    });

    describe('looking and tidying up', () => {
      it('lists newest first, page by page, as filtered', async () => {
        for (let number = 1; number <= 5; number += 1) {
          await jobs.enqueue(
            sampleJob(number, {
              ...(number % 2 === 1 ? { sessionUid: 'sess_1' } : {}),
              type: number === 5 ? 'other' : 'work',
            }),
          );
        }
        await jobs.cancel('job_2', 1);
        await settle();
        const first = await jobs.list({ cursor: undefined, limit: 3 }, {});
        const second = await jobs.list({ cursor: first.nextCursor, limit: 3 }, {});
        const ids = (page: typeof first) => page.items.map(({ jobId }) => jobId);
        expect([ids(first), ids(second)]).toEqual([
          ['job_5', 'job_4', 'job_3'],
          ['job_2', 'job_1'],
        ]);
        expect([first.total, second.total, second.nextCursor]).toEqual([5, 5, undefined]);
        const all = { cursor: undefined, limit: 9 };
        expect(ids(await jobs.list(all, { state: 'cancelled' }))).toEqual(['job_2']);
        expect(ids(await jobs.list(all, { sessionUid: 'sess_1', type: 'work' }))).toEqual(['job_3', 'job_1']);
        expect((await jobs.list(all, { type: 'nothing' })).total).toBe(0);
        await expect(jobs.list({ cursor: 'calls:1', limit: 3 }, {})).rejects.toMatchObject({ code: 'invalid_request' });
      });

      it('counts by state', async () => {
        for (const number of [1, 2, 3]) await jobs.enqueue(sampleJob(number));
        await fail(await claimed(), 'dead', 1_000);
        await claimed();
        await settle();
        expect(await jobs.counts()).toEqual({ queued: 1, running: 1, succeeded: 0, dead: 1, cancelled: 0 });
      });

      it('prunes what ended before a time, with its attempts and its key, and nothing else', async () => {
        for (const number of [1, 2, 3, 4, 5]) {
          await jobs.enqueue(sampleJob(number, { idempotencyKey: `key-${number}`, priority: -number }));
        }
        await jobs.complete(await claimed(), null, 1_000);
        await jobs.complete(await claimed(), null, 3_000);
        await fail(await claimed(), 'dead', 1_000);
        await claimed();
        await settle();
        expect(await jobs.prune(['succeeded', 'cancelled'], 2_000)).toBe(1);
        expect([await jobs.get('job_1'), (await job('job_2'))?.state, (await job('job_3'))?.state]).toEqual([
          undefined,
          'succeeded',
          'dead',
        ]);
        expect((await jobs.enqueue(sampleJob(6, { idempotencyKey: 'key-1' }))).isNew).toBe(true);
        expect(await jobs.prune(['dead', 'succeeded', 'cancelled'], 9 * hour)).toBe(2);
        expect((await jobs.list({ cursor: undefined, limit: 9 }, {})).items.map(({ jobId }) => jobId)).toEqual([
          'job_6',
          'job_5',
          'job_4',
        ]);
      });
    });
  });
}

function circle(): object {
  const made: Record<string, unknown> = {};
  made['self'] = made;
  return made;
}

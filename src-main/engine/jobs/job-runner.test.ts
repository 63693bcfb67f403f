import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { JobContext, JobHandler } from './job-handler.ts';
import { PermanentJobError } from './permanent-job-error.ts';
import { openRunnerFixture } from './testing/runner-fixture.ts';

/** A handler that ends when the test says so, and tells which jobs it began. */
function controlled() {
  const begun: { jobId: string; context: JobContext; end: (result?: string) => void }[] = [];
  const handler: JobHandler = (job, context) =>
    new Promise((resolve) => begun.push({ jobId: job.jobId, context, end: (result = 'done') => resolve(result) }));
  return { handler, begun, ids: () => begun.map(({ jobId }) => jobId) };
}

/** Ends as handlers should: when it is asked to. */
const heedful: JobHandler = async (_, { signal }) => {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
  return null;
};

describe('running', () => {
  it('hands the job to its handler, keeps the answer and announces each step', async () => {
    const { runner, add, reached, events } = await openRunnerFixture();
    runner.register('work', async (job) => ({ got: job.payload, attempt: job.attempts }));
    runner.start();
    const id = await add({ payload: [1, 'two'], sessionUid: 'sess_1' });
    expect((await reached(id, 'succeeded')).result).toEqual({ got: [1, 'two'], attempt: 1 });
    await runner.settled();
    const event = { type: 'job.changed', job_id: id, job_type: 'work', session_uid: 'sess_1' };
    expect(events).toEqual(['queued', 'running', 'succeeded'].map((state) => ({ ...event, state })));
  });

  it('runs what was enqueued before it started, and what has a handler only later', async () => {
    const { runner, add, reached, find } = await openRunnerFixture();
    const [early, other] = [await add(), await add({ type: 'other' })];
    runner.register('work', async () => null);
    runner.start();
    await reached(early, 'succeeded');
    await runner.settled();
    expect((await find(other)).state).toBe('queued');
    runner.register('other', async () => null);
    await reached(other, 'succeeded');
  });

  it('takes what enqueue does not say from the defaults of the type', async () => {
    const { runner, add, find } = await openRunnerFixture();
    runner.register('work', heedful, { maxAttempts: 7, timeoutMs: 5, priority: -1 });
    expect(await find(await add())).toMatchObject({ maxAttempts: 7, timeoutMs: 5, priority: -1 });
    expect(await find(await add({ priority: 3 }))).toMatchObject({ maxAttempts: 7, priority: 3 });
    expect(await find(await add({ type: 'other' }))).toMatchObject({ maxAttempts: 5, timeoutMs: 600_000, priority: 0 });
  });

  it('runs as many at once as it may, and all of very many', async () => {
    const { runner, add, queue } = await openRunnerFixture({ concurrency: 3 });
    let running = 0;
    let most = 0;
    runner.register('work', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return null;
    });
    runner.start();
    await Promise.all(Array.from({ length: 100 }, () => add()));
    await runner.settled();
    expect(most).toBe(3);
    expect(await queue.counts()).toMatchObject({ queued: 0, succeeded: 100 });
  });

  it('H24: runs one job per single-flight key, the next one when that has ended', async () => {
    const { runner, add, reached } = await openRunnerFixture();
    const { handler, begun, ids } = controlled();
    runner.register('work', handler);
    runner.start();
    const [first, second] = [await add({ singleFlightKey: 'sess_1' }), await add({ singleFlightKey: 'sess_1' })];
    const other = await add({ singleFlightKey: 'sess_2' });
    await vi.waitFor(() => expect(ids()).toEqual([first, other]));
    begun[0]?.end();
    await reached(first, 'succeeded');
    await vi.waitFor(() => expect(ids()).toEqual([first, other, second]));
    begun.forEach(({ end }) => end());
    await runner.settled();
  });

  it('begins a job when it is due, without being woken', async () => {
    const { runner, add, reached, clock, find } = await openRunnerFixture();
    runner.register('work', async () => null);
    runner.start();
    const id = await add({ runAfter: clock.now() + 20 });
    await runner.settled();
    expect((await find(id)).state).toBe('queued');
    clock.advance(20);
    await reached(id, 'succeeded');
  });

  it('stores how far a job is and announces it, the last step included', async () => {
    const { runner, add, reached, events } = await openRunnerFixture({ progressMs: 5 });
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    begun[0]?.context.progress(1, 4, 'reading');
    const announced = () => events.flatMap((event) => ('progress' in event && event.progress ? [event.progress] : []));
    await vi.waitFor(() => expect(announced()).toEqual([{ done: 1, total: 4, note: 'reading' }]));
    begun[0]?.context.progress(4, 4);
    begun[0]?.end();
    expect((await reached(id, 'succeeded')).progress).toEqual({ done: 4, total: 4 });
  });

  it('shows progress that is no number as nothing, and long remarks cut', async () => {
    const { runner, add, reached } = await openRunnerFixture();
    runner.register('work', async (_, context) => {
      context.progress(NaN, -3, 'x'.repeat(300));
      return null;
    });
    runner.start();
    const job = await reached(await add(), 'succeeded');
    expect(job.progress).toEqual({ done: 0, total: 0, note: 'x'.repeat(200) });
  });

  it('writes progress that comes all the time only now and then', async () => {
    const { runner, add, reached, events } = await openRunnerFixture({ progressMs: 60_000 });
    runner.register('work', async (_, context) => {
      for (let done = 0; done <= 1_000; done += 1) context.progress(done, 1_000);
      return null;
    });
    runner.start();
    expect((await reached(await add(), 'succeeded')).progress).toEqual({ done: 1_000, total: 1_000 });
    await runner.settled();
    expect(events.filter((event) => event.type === 'job.changed' && event.state === 'running')).toHaveLength(2);
  });
});

describe('failing', () => {
  it('S57: tries again later, shows when, and gives up when the attempts are used up', async () => {
    const { runner, add, reached, clock, find, dead, outcomes, logLines } = await openRunnerFixture();
    runner.register('work', () => Promise.reject(new Error('the model is away')), { maxAttempts: 3 });
    runner.start();
    const id = await add();
    const waits = [];
    for (let attempt = 1; attempt < 3; attempt += 1) {
      await vi.waitFor(async () => expect(await find(id)).toMatchObject({ state: 'queued', attempts: attempt }));
      const { nextAttemptAt = 0, lastError } = await find(id);
      expect(lastError).toBe('the model is away');
      waits.push(nextAttemptAt - clock.now());
      clock.set(nextAttemptAt);
      runner.wake();
    }
    // Half of 1 s and of 2 s: the random number is 0.5.
    expect(waits).toEqual([500, 1_000]);
    await reached(id, 'dead');
    await runner.settled();
    expect(await outcomes(id)).toEqual(['failed', 'failed', 'failed']);
    expect(dead.at(-1)).toEqual([1, id]);
    expect(logLines.map(({ level }) => level)).toEqual(['warn', 'warn', 'error']);
  });

  it('does not try again what cannot be helped', async () => {
    const { runner, add, reached } = await openRunnerFixture();
    runner.register('work', () => Promise.reject(new PermanentJobError('there is no such session')));
    runner.start();
    const job = await reached(await add(), 'dead');
    expect(job).toMatchObject({ attempts: 1, lastError: 'there is no such session' });
  });

  it('takes a handler that throws at once, or something that is no error, as any other failure', async () => {
    const { runner, add, reached } = await openRunnerFixture();
    runner.register('work', () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- other people's code does
      throw 'nothing but text';
    });
    runner.start();
    expect((await reached(await add({ maxAttempts: 1 }), 'dead')).lastError).toBe('nothing but text');
  });

  it('an answer that is no JSON is a failure that trying again does not help', async () => {
    const { runner, add, reached } = await openRunnerFixture();
    runner.register('work', async () => undefined as never);
    runner.start();
    expect((await reached(await add(), 'dead')).lastError).toContain('JSON');
  });

  it('aborts an attempt that takes too long, and counts it', async () => {
    const { runner, add, find, outcomes } = await openRunnerFixture();
    runner.register('work', heedful);
    runner.start();
    const id = await add({ timeoutMs: 5 });
    await vi.waitFor(async () => expect(await outcomes(id)).toEqual(['timed_out']));
    expect(await find(id)).toMatchObject({ state: 'queued', attempts: 1, lastError: 'It was not done within 5 ms.' });
  });

  it('leaves a handler alone that does not heed its signal, and does not take its late answer', async () => {
    const { runner, add, reached, find, outcomes, logLines } = await openRunnerFixture({ graceMs: 5 });
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add({ timeoutMs: 5, maxAttempts: 1 });
    await reached(id, 'dead');
    begun[0]?.end('late');
    await runner.settled();
    expect(await find(id)).toMatchObject({ state: 'dead', result: undefined });
    expect(await outcomes(id)).toEqual(['timed_out']);
    expect(logLines.map(({ message }) => message)).toContain('job handler did not heed its signal');
  });

  it('a queue that fails is told of, and asked again', async () => {
    let fails = true;
    const { runner, add, reached, failures, logLines } = await openRunnerFixture({
      wrapQueue: (queue) =>
        overriding(queue, {
          claim: async (request) => (fails ? Promise.reject(new Error('disk full')) : queue.claim(request)),
        }),
    });
    runner.register('work', async () => null);
    runner.start();
    const id = await add();
    await runner.settled();
    expect(failures).not.toEqual([]);
    expect(logLines[0]).toMatchObject({ level: 'error', fields: { message: 'disk full' } });
    fails = false;
    runner.wake();
    await reached(id, 'succeeded');
  });

  it('a job that did its work does not run again because the store failed once', async () => {
    let failures = 1;
    const { runner, add, reached, outcomes } = await openRunnerFixture({
      wrapQueue: (queue) =>
        overriding(queue, {
          complete: async (lease, result, now) => {
            failures -= 1;
            if (failures >= 0) throw new Error('disk full');
            return queue.complete(lease, result, now);
          },
        }),
    });
    let runs = 0;
    runner.register('work', async () => (runs += 1));
    runner.start();
    const id = await add();
    await reached(id, 'succeeded');
    expect([runs, await outcomes(id)]).toEqual([1, ['succeeded']]);
  });
});

describe('cancelling and retrying', () => {
  it('a running job is asked to stop and is cancelled then', async () => {
    // So long that no heartbeat tells of it.
    const { runner, add, reached, outcomes } = await openRunnerFixture({ leaseMs: 3_600_000 });
    runner.register('work', heedful);
    runner.start();
    const id = await add();
    await reached(id, 'running');
    expect(await runner.cancel(id)).toMatchObject({ state: 'running', cancelRequested: true });
    await reached(id, 'cancelled');
    expect(await outcomes(id)).toEqual(['cancelled']);
  });

  it('a queued one never begins', async () => {
    const { runner, add, find } = await openRunnerFixture();
    const { handler, ids } = controlled();
    runner.register('work', handler);
    const id = await add();
    await runner.cancel(id);
    runner.start();
    await runner.settled();
    expect([ids(), (await find(id)).state]).toEqual([[], 'cancelled']);
  });

  it('a dead one runs again when it is retried, and is counted no more', async () => {
    const { runner, add, reached, dead } = await openRunnerFixture();
    let broken = true;
    runner.register('work', async () => {
      if (broken) throw new PermanentJobError('broken');
      return 'mended';
    });
    runner.start();
    const [first, second] = [await add(), await add()];
    await reached(first, 'dead');
    await reached(second, 'dead');
    await runner.settled();
    expect(dead.at(-1)).toEqual([2, second]);
    broken = false;
    await runner.retry(first);
    expect((await reached(first, 'succeeded')).result).toBe('mended');
    expect(dead.at(-1)).toEqual([1, second]);
    await runner.cancel(second);
    expect(dead.at(-1)).toEqual([0, undefined]);
  });
});

describe('leases', () => {
  it('G13: a job that takes longer than its lease keeps it by heartbeats', async () => {
    const { runner, add, reached, clock, queue } = await openRunnerFixture({ leaseMs: 30 });
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    clock.advance(25);
    const leaseEnd = () => queue.nextWakeAt({ types: [], workerId: 'somebody else' });
    await vi.waitFor(async () => expect(await leaseEnd()).toBe(clock.now() + 30));
    clock.advance(10);
    expect(await queue.requeueStalled({ workerId: 'somebody else', now: clock.now(), all: false })).toEqual([]);
    begun[0]?.end();
    await reached(id, 'succeeded');
  });

  it('a job that was taken away is given up, and its answer not taken', async () => {
    const { runner, add, clock, queue, find, outcomes } = await openRunnerFixture({ leaseMs: 30 });
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await queue.requeueStalled({ workerId: 'somebody else', now: clock.now(), all: true });
    await queue.claim({ types: ['work'], workerId: 'somebody else', leaseMs: 90_000, now: clock.now() });
    await vi.waitFor(() => expect(begun[0]?.context.signal.aborted).toBe(true));
    begun[0]?.end('not mine any more');
    await runner.settled();
    expect(await find(id)).toMatchObject({ state: 'running', result: undefined });
    expect(await outcomes(id)).toEqual(['stalled', 'running']);
  });

  it('does not take its own job for stalled when time jumps ahead', async () => {
    const { runner, add, reached, clock, outcomes } = await openRunnerFixture();
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    clock.advance(8 * 3_600_000);
    const other = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    begun.forEach(({ end }) => end());
    await reached(other, 'succeeded');
    await reached(id, 'succeeded');
    expect(await outcomes(id)).toEqual(['succeeded']);
  });

  it('begins with what an earlier process left behind, however long its lease still was', async () => {
    const { runner, add, reached, clock, queue, outcomes, logLines } = await openRunnerFixture();
    const [left, last] = [await add(), await add({ maxAttempts: 1 })];
    for (const workerId of ['old', 'old']) {
      await queue.claim({ types: ['work'], workerId, leaseMs: 3_600_000, now: clock.now() });
    }
    runner.register('work', async () => null);
    runner.start();
    expect((await reached(left, 'succeeded')).attempts).toBe(2);
    expect(await outcomes(left)).toEqual(['stalled', 'succeeded']);
    expect((await reached(last, 'dead')).lastError).toContain('The process that ran it ended');
    expect(logLines.filter(({ message }) => message === 'job was left behind')).toHaveLength(2);
  });
});

describe('stopping', () => {
  it('lets a running job end', async () => {
    const { runner, add, find } = await openRunnerFixture();
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    const stopped = runner.stop(60_000);
    begun[0]?.end();
    await stopped;
    expect((await find(id)).state).toBe('succeeded');
  });

  it('gives a job back that does not end, without counting the attempt; the next process goes on', async () => {
    const { runner, createRunner, add, reached, find, outcomes } = await openRunnerFixture();
    runner.register('work', heedful);
    runner.start();
    const id = await add();
    await reached(id, 'running');
    await runner.stop(10);
    expect(await find(id)).toMatchObject({ state: 'queued', attempts: 0 });
    const next = createRunner();
    next.register('work', async () => 'second');
    next.start();
    expect(await reached(id, 'succeeded')).toMatchObject({ attempts: 1, result: 'second' });
    expect(await outcomes(id)).toEqual(['released', 'succeeded']);
  });

  it('gives back also what does not heed its signal, and takes no late answer of it', async () => {
    const { runner, add, find } = await openRunnerFixture();
    const { handler, begun } = controlled();
    runner.register('work', handler);
    runner.start();
    const id = await add();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await runner.stop(10);
    begun[0]?.end();
    expect(await find(id)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('begins nothing more, but stores what is enqueued for the next process', async () => {
    const { runner, add, find } = await openRunnerFixture();
    runner.register('work', async () => null);
    runner.start();
    await runner.stop(0);
    const id = await add();
    await runner.settled();
    expect((await find(id)).state).toBe('queued');
  });

  it('does not hang on a store that takes nothing any more', async () => {
    const { runner, add, reached } = await openRunnerFixture({
      wrapQueue: (queue) =>
        overriding(queue, {
          release: () => Promise.reject(new Error('disk full')),
          fail: () => Promise.reject(new Error('disk full')),
        }),
    });
    runner.register('work', heedful);
    runner.start();
    await reached(await add(), 'running');
    await runner.stop(10);
    expect(await add()).toBe('job_2');
  });
});

it('forgets jobs that ended long ago, and dead ones much later', async () => {
  const { runner, add, reached, clock, queue, dead } = await openRunnerFixture({ keepDays: 2 });
  runner.register('work', async () => null);
  runner.register('hopeless', () => Promise.reject(new PermanentJobError('no')));
  runner.start();
  const [done, hopeless] = [await add(), await add({ type: 'hopeless' })];
  await reached(done, 'succeeded');
  await reached(hopeless, 'dead');
  const daysLater = async (days: number) => {
    await runner.settled();
    clock.advance(days * 24 * 3_600_000);
    await reached(await add(), 'succeeded');
    await runner.settled();
  };
  await daysLater(3);
  expect([await queue.get(done), (await queue.get(hopeless))?.job.state]).toEqual([undefined, 'dead']);
  expect(dead.at(-1)).toEqual([1, hopeless]);
  await daysLater(22);
  expect([await queue.get(hopeless), dead.at(-1)]).toEqual([undefined, [0, undefined]]);
});

/** The same object but for some methods. */
function overriding<T extends object>(whole: T, methods: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

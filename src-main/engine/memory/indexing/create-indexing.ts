import type { Alarm, LiveEvent } from '../../../../src-shared/model/events.ts';
import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import type { HealthReply } from '../../../../src-shared/protocol/health.ts';
import { Deadline } from '../../deadline.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { JobContext } from '../../jobs/job-handler.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { indexAlarms } from './index-alarm.ts';
import { IndexFollower } from './index-follower.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { repairIndex } from './repair-index.ts';

export const repairJob = 'memory.repair';
export const reindexJob = 'memory.reindex';

/** How often the index is compared with the files and the log (ms). */
const repairEvery = 24 * 3_600_000;
const alarmEvery = 10_000;
/** Health is asked by whoever looks whether anything answers: it waits no longer for the counts of the index (ms). */
const countsWithin = 200;

export interface Indexing {
  readonly api: Pick<EngineApi, 'reindex' | 'retryOutbox'>;
  readonly follower: IndexFollower;
  /** Hears what the engine announces. */
  note(event: LiveEvent): void;
  alarms(): Alarm[];
  health(): Promise<NonNullable<HealthReply['index']>>;
  /** Compares the index with the files and the log soon; a comparison that waits already is enough. */
  repair(): Promise<string>;
  start(): void;
  stop(): Promise<void>;
}

/** Everything that feeds the index of memory. */
export function createIndexing(parts: EngineParts, pages: MemoryPages, jobs: JobRunner): Indexing {
  const { clock, events, log, memoryIndex: index, memoryOutbox: outbox, embedder, store } = parts;
  const follower = new IndexFollower({ ...{ outbox, index, pages, clock, events, log, store, embedder } });
  const { turns } = follower;
  const alarms = (): Alarm[] =>
    indexAlarms(
      { backlog: outbox.backlog(), failure: follower.failure, embedder: follower.embedderTrouble },
      clock.now(),
    );

  const dimensionNow = async (signal: AbortSignal): Promise<number | undefined> => {
    if (!embedder || embedder.dimension !== undefined) return embedder?.dimension;
    try {
      const [vector] = await embedder.embed(['memory'], signal);
      return vector?.length;
    } catch (error) {
      if (signal.aborted) throw error;
      log('warn', 'embedder_not_asked', { error: String(error) });
      return undefined;
    }
  };
  jobs.register(repairJob, async (_job, { signal, progress }: JobContext) =>
    follower.exclusively(async () => ({
      ...(await repairIndex(
        { index, outbox, pages, turns, now: () => clock.now() },
        { embedderId: embedder?.id, dimensionNow, signal, progress },
      )),
    })),
  );
  jobs.register(
    reindexJob,
    async (_job, { signal, progress }: JobContext) => {
      try {
        return await follower.exclusively(async () => ({
          ...(await rebuildIndex({ index, pages, turns, log }, signal, progress)),
        }));
      } catch (error) {
        // What was not put anew is as it was before; the marks of its sessions are gone.
        repairSoon();
        throw error;
      }
    },
    { timeoutMs: 3_600_000 },
  );
  const enqueue = async (type: string, runAfter?: number): Promise<string> => {
    const request = {
      type,
      payload: {},
      singleFlightKey: 'memory.index',
      idempotencyKey: type,
      whenFinished: 'new' as const,
    };
    return (await jobs.enqueue({ ...request, runAfter })).job.jobId;
  };

  let daily: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let told = 0;
  let knownNote = index.note;
  const watchIndex = (): void => {
    if (index.note !== knownNote) {
      // It was made anew while we ran.
      knownNote = index.note;
      turns.forget();
      repairSoon();
    }
    const count = alarms().length;
    if (count !== told) events.publish({ type: 'health.changed' });
    told = count;
  };
  const repairSoon = (): void => {
    enqueue(repairJob).catch((error: unknown) => log('warn', 'repair_not_enqueued', { error: String(error) }));
  };
  const stopping = new AbortController();
  /** An index that is new, or that missed something while nobody followed, is filled from the files and the log. */
  const catchUp = async (): Promise<void> => {
    const options = { embedderId: embedder?.id, dimensionNow, signal: stopping.signal, progress: () => undefined };
    try {
      await follower.exclusively(() => repairIndex({ index, outbox, pages, turns, now: () => clock.now() }, options));
    } catch (error) {
      if (!stopping.signal.aborted) log('warn', 'index_not_compared', { error: String(error) });
    }
  };
  let first: Promise<void> | undefined;
  return {
    api: {
      reindex: async () => ({ job_id: await enqueue(reindexJob) }),
      retryOutbox: () => {
        const revived = outbox.reviveDead();
        if (revived > 0) events.publish({ type: 'health.changed' });
        follower.wake();
        return Promise.resolve({ revived });
      },
    },
    follower,
    note: (event) => follower.note(event),
    alarms,
    health: async () => {
      const { waiting, dead, oldest } = outbox.backlog();
      const deadline = new Deadline(countsWithin);
      const counted = await deadline.wait(index.state());
      deadline.clear();
      return {
        ...{ waiting, dead },
        ...(oldest === null ? {} : { oldest_at: new Date(oldest).toISOString() }),
        ...(counted.state === 'done'
          ? { pages: counted.value.pages, turns: counted.value.turns, vectors: counted.value.vectors }
          : {}),
      };
    },
    repair: () => enqueue(repairJob),
    start: () => {
      follower.start();
      first = catchUp();
      daily = setInterval(repairSoon, repairEvery).unref();
      watch = setInterval(watchIndex, alarmEvery).unref();
    },
    stop: async () => {
      clearInterval(daily);
      clearInterval(watch);
      stopping.abort();
      // Both are told to end before either is waited for.
      await Promise.all([first, follower.stop()]);
    },
  };
}

import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { EngineClient, Reply } from '../client/engine-client.ts';
import { createJobStores, type JobStores } from './create-job-stores.ts';
import { createLiveStore, type LiveNews, type LiveStore } from './create-live-store.ts';
import { createMemoryStores, type MemoryStores } from './create-memory-stores.ts';
import { createPagedStore, type PagedStore } from './create-paged-store.ts';
import { createSessionStores, type SessionStores, type Soon } from './create-session-stores.ts';
import { createValueStore, type ValueStore } from './create-value-store.ts';
import { throttle } from './throttle.ts';

/** All that the page knows of the engine. */
export interface AppStores {
  readonly client: EngineClient;
  readonly live: LiveStore;
  readonly health: ValueStore<Reply<'health'>>;
  readonly sessions: PagedStore<SessionSummary>;
  readonly jobs: JobStores;
  readonly memory: MemoryStores;
  session(uid: string): SessionStores;
  /** Starts the live stream and the reading of health; the returned function ends both. */
  start(): () => void;
}

/** Ages of the host link change without an event, so health is read again this often. */
const healthEveryMs = 15_000;
const keptSessions = 6;

export function createAppStores(client: EngineClient, now: () => number): AppStores {
  const live = createLiveStore(client);
  const health = createValueStore(() => client.call('health'), now);
  const sessions = createPagedStore<SessionSummary>({
    fetchPage: (cursor) => client.call('sessions', { query: { cursor, limit: 200 } }),
    keyOf: (session) => session.session_uid,
    growsAt: 'head',
    now,
  });
  const open = new Map<string, SessionStores>();
  // What waits its turn when the page is paused must not be read then: it would show what is held back.
  const soon: Soon = (job, ms) => throttle(() => live.whenLive(job), ms);
  const jobs = createJobStores(client, now, soon);
  const memory = createMemoryStores(client, now, soon);
  const healthSoon = soon(() => void health.refresh(), 1_000);
  const sessionsSoon = soon(() => void sessions.refresh(), 1_000);
  const take = (news: LiveNews) => {
    jobs.take(news);
    memory.take(news);
    // Told for every page of a large import; alarms have an event of their own.
    if (news.type === 'page.changed') return;
    if (news.type === 'job.changed') {
      // Told several times a second while a job goes on: only its beginning and its end change anything else.
      if (news.state === 'running') return open.forEach((stores) => stores.take(news));
    }
    healthSoon();
    if (news.type !== 'health.changed') sessionsSoon();
    open.forEach((stores) => stores.take(news));
  };
  return {
    client,
    live,
    health,
    sessions,
    jobs,
    memory,
    session(uid) {
      const stores = open.get(uid) ?? createSessionStores(client, uid, now, soon);
      open.delete(uid);
      open.set(uid, stores);
      const oldest = open.keys().next();
      if (open.size > keptSessions && !oldest.done) open.delete(oldest.value);
      return stores;
    },
    start() {
      const stopListening = live.onNews(take);
      live.start();
      const timer = setInterval(() => {
        if (!live.getState().paused) healthSoon();
      }, healthEveryMs);
      return () => {
        stopListening();
        live.stop();
        clearInterval(timer);
      };
    },
  };
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { EngineClient, LinkState } from '../client/engine-client.ts';

export interface LiveState {
  readonly link: LinkState;
  readonly paused: boolean;
  /** Events that came while paused and were not shown. */
  readonly held: number;
  /** Events that the daemon could not send any more, since the page was opened. */
  readonly dropped: number;
}

/** `missed`: anything may have changed, so everything on the page has to be read again. */
export type LiveNews = LiveEvent | { readonly type: 'missed' };

export interface LiveStore extends StoreApi<LiveState> {
  start(): void;
  stop(): void;
  pause(): void;
  /** Shows what was held back, then goes on live. */
  resume(): void;
  /** Runs the job now, or, while paused, once when resumed. */
  whenLive(job: () => void): void;
  onNews(listener: (news: LiveNews) => void): () => void;
}

/** More held events than this are not replayed one by one: everything is read again instead. */
const replayLimit = 500;

export function createLiveStore(client: Pick<EngineClient, 'subscribe'>): LiveStore {
  const store = createStore<LiveState>(() => ({
    link: { status: 'connecting' },
    paused: false,
    held: 0,
    dropped: 0,
  }));
  const listeners = new Set<(news: LiveNews) => void>();
  const held: LiveNews[] = [];
  const deferred = new Set<() => void>();
  let unsubscribe: (() => void) | undefined;

  const tell = (news: LiveNews) => listeners.forEach((listener) => listener(news));
  const take = (news: LiveNews) => {
    if (!store.getState().paused) return tell(news);
    if (held.length <= replayLimit) held.push(news);
    store.setState(({ held: count }) => ({ held: count + 1 }));
  };
  const onEvent = (event: LiveEvent) => {
    if (event.type !== 'stream.gap') return take(event);
    store.setState(({ dropped }) => ({ dropped: dropped + event.dropped }));
    take({ type: 'missed' });
  };
  const onState = (link: LinkState) => {
    const before = store.getState().link.status;
    store.setState({ link });
    // A daemon that was restarted has forgotten its events; what it did meanwhile is read from its routes.
    if (link.status === 'live' && before !== 'live' && before !== 'connecting') take({ type: 'missed' });
  };

  return {
    ...store,
    start: () => (unsubscribe ??= client.subscribe(onEvent, onState)),
    stop: () => {
      unsubscribe?.();
      unsubscribe = undefined;
    },
    pause: () => store.setState({ paused: true }),
    resume: () => {
      const news = held.length > replayLimit ? [{ type: 'missed' } as const] : [...held];
      held.length = 0;
      store.setState({ paused: false, held: 0 });
      const jobs = [...deferred];
      deferred.clear();
      news.forEach(tell);
      jobs.forEach((job) => job());
    },
    whenLive: (job) => {
      if (store.getState().paused) deferred.add(job);
      else job();
    },
    onNews: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { LinkState } from '../client/engine-client.ts';
import { createLiveStore, type LiveNews } from './create-live-store.ts';

function liveStore() {
  let onEvent: (event: LiveEvent) => void = () => undefined;
  let onState: (state: LinkState) => void = () => undefined;
  let open = 0;
  const store = createLiveStore({
    subscribe(event, state) {
      onEvent = event;
      onState = state;
      open += 1;
      return () => (open -= 1);
    },
  });
  const news: LiveNews[] = [];
  store.onNews((item) => news.push(item));
  store.start();
  return {
    store,
    news,
    event: (event: LiveEvent) => onEvent(event),
    link: (state: LinkState) => onState(state),
    openStreams: () => open,
  };
}

const changed = (uid: string): LiveEvent => ({ type: 'session.changed', session_uid: uid });

describe('the live stream', () => {
  it('hands news on as they come', () => {
    const { news, event } = liveStore();
    event(changed('a'));
    expect(news).toEqual([changed('a')]);
  });

  it('holds news back while paused, counts them, and shows them in order when resumed', () => {
    const { store, news, event } = liveStore();
    store.pause();
    event(changed('a'));
    event(changed('b'));
    expect(news).toEqual([]);
    expect(store.getState()).toMatchObject({ paused: true, held: 2 });
    store.resume();
    expect(news).toEqual([changed('a'), changed('b')]);
    expect(store.getState()).toMatchObject({ paused: false, held: 0 });
  });

  it('reads everything anew instead of replaying thousands of events', () => {
    const { store, news, event } = liveStore();
    store.pause();
    for (let index = 0; index < 2_000; index += 1) event(changed(`s${index}`));
    expect(store.getState().held).toBe(2_000);
    store.resume();
    expect(news).toEqual([{ type: 'missed' }]);
  });

  it('counts what the daemon had no longer, and has everything read anew', () => {
    const { store, news, event } = liveStore();
    event({ type: 'stream.gap', dropped: 31 });
    expect(store.getState().dropped).toBe(31);
    expect(news).toEqual([{ type: 'missed' }]);
  });

  it('has everything read anew after a lost connection is back, not after the first one', () => {
    const { news, link } = liveStore();
    link({ status: 'connecting' });
    link({ status: 'live' });
    expect(news).toEqual([]);
    link({ status: 'reconnecting', attempt: 1, since: 0, nextTryAt: 1 });
    link({ status: 'live' });
    expect(news).toEqual([{ type: 'missed' }]);
  });

  it('opens one stream however often it is started, and ends it', () => {
    const { store, openStreams } = liveStore();
    store.start();
    expect(openStreams()).toBe(1);
    store.stop();
    expect(openStreams()).toBe(0);
    store.start();
    expect(openStreams()).toBe(1);
  });

  it('tells a listener nothing after it left', () => {
    const { store, event } = liveStore();
    const seen: LiveNews[] = [];
    store.onNews((item) => seen.push(item))();
    event(changed('a'));
    expect(seen).toEqual([]);
  });
});

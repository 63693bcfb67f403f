import type { CompactCheckpoint } from '../../src-shared/model/checkpoint.ts';
import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import type { EngineClient, Reply } from '../client/engine-client.ts';
import { createPagedStore, type PagedStore } from './create-paged-store.ts';
import { createValueStore, type ValueStore } from './create-value-store.ts';
import type { LiveNews } from './create-live-store.ts';

export type TurnOrder = 'asc' | 'desc';

/** Everything that is shown of one session. */
export interface SessionStores {
  readonly summary: ValueStore<SessionSummary>;
  readonly calls: PagedStore<CallSummary>;
  readonly checkpoints: PagedStore<CompactCheckpoint>;
  turns(order: TurnOrder): PagedStore<TurnRecord>;
  /** The trace of a call and, apart from it, the messages that were answered. */
  call(callId: string): CallStores;
  take(news: LiveNews): void;
}

export interface CallStores {
  readonly trace: ValueStore<Reply<'call'>>;
  readonly messages: ValueStore<Reply<'callMessages'>>;
}

/** Calls that are kept when others are looked at; a trace of a long session is some hundred kilobytes. */
const keptCalls = 12;
const turnsPerPage = 200;

/** Makes a job that runs soon, at most once per `ms`, and not while the page is paused. */
export type Soon = (job: () => void, ms: number) => () => void;

export function createSessionStores(client: EngineClient, uid: string, now: () => number, soon: Soon): SessionStores {
  const params = { id: uid };
  const turnStores = new Map<TurnOrder, PagedStore<TurnRecord>>();
  const callStores = new Map<string, CallStores>();
  const summary = createValueStore(() => client.call('session', { params }), now);
  const calls = createPagedStore<CallSummary>({
    fetchPage: (cursor) => client.call('sessionCalls', { params, query: { cursor, limit: 100 } }),
    keyOf: (call) => call.call_id,
    growsAt: 'head',
    now,
  });
  const checkpoints = createPagedStore<CompactCheckpoint>({
    fetchPage: (cursor) => client.call('sessionCheckpoints', { params, query: { cursor, limit: 100 } }),
    keyOf: (checkpoint) => checkpoint.checkpoint_id,
    growsAt: 'head',
    now,
  });
  const turns = (order: TurnOrder) =>
    remember(turnStores, order, 2, () =>
      createPagedStore<TurnRecord>({
        fetchPage: (cursor) => client.call('sessionTurns', { params, query: { cursor, order, limit: turnsPerPage } }),
        keyOf: (record) => record.turn.turn_id,
        growsAt: order === 'desc' ? 'head' : 'tail',
        now,
      }),
    );
  const refresh = {
    summary: soon(() => void summary.refresh(), 500),
    calls: soon(() => void calls.refresh(), 500),
    checkpoints: soon(() => void checkpoints.refresh(), 500),
    turns: soon(() => turnStores.forEach((store) => void store.refresh()), 500),
  };
  return {
    summary,
    calls,
    checkpoints,
    turns,
    call: (callId) => remember(callStores, callId, keptCalls, () => createCallStores(client, callId, now)),
    take: (news) => takeNews(news, uid, refresh, callStores),
  };
}

function createCallStores(client: EngineClient, callId: string, now: () => number): CallStores {
  const params = { id: callId };
  return {
    trace: createValueStore(() => client.call('call', { params }), now),
    messages: createValueStore(() => client.call('callMessages', { params }), now),
  };
}

function takeNews(
  news: LiveNews,
  uid: string,
  refresh: Record<'summary' | 'calls' | 'checkpoints' | 'turns', () => void>,
  callStores: ReadonlyMap<string, CallStores>,
): void {
  if (news.type === 'missed') return Object.values(refresh).forEach((job) => job());
  if (!('session_uid' in news) || news.session_uid !== uid) return;
  // Announced several times a second while a job goes on; what a job does to the session is announced by itself.
  if (news.type === 'job.changed') return;
  refresh.summary();
  switch (news.type) {
    case 'turns.committed':
      return refresh.turns();
    case 'call.assembled':
      return refresh.calls();
    case 'call.usage':
      void callStores.get(news.call_id)?.trace.refresh();
      return refresh.calls();
    case 'checkpoint.created':
      refresh.turns();
      return refresh.checkpoints();
    case 'session.changed':
      return;
  }
}

/** Gets or makes an entry; the least recently used one beyond `limit` is forgotten. */
function remember<K, V>(map: Map<K, V>, key: K, limit: number, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > limit && !oldest.done) map.delete(oldest.value);
  return value;
}

import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';
import type { JobSummary } from '../../src-shared/model/job.ts';
import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import type { EngineClient, Reply } from '../client/engine-client.ts';
import { createActionStore, type ActionStore } from './create-action-store.ts';
import { createPagedStore, type PagedStore } from './create-paged-store.ts';
import { createValueStore, type ValueStore } from './create-value-store.ts';
import type { LiveNews } from './create-live-store.ts';
import { remember } from './remember.ts';

export type TurnOrder = 'asc' | 'desc';

/** Everything that is shown of one session. */
export interface SessionStores {
  readonly summary: ValueStore<SessionSummary>;
  readonly calls: PagedStore<CallSummary>;
  readonly checkpoints: PagedStore<CheckpointRecord>;
  /** A compaction that this page asked for; outlives the view that shows it. */
  readonly compaction: ActionStore<string, Reply<'compact'>>;
  /** The newest compaction in the background, if there was one. */
  readonly job: ValueStore<JobSummary | undefined>;
  turns(order: TurnOrder): PagedStore<TurnRecord>;
  /** The turns with these sequences, ends included, oldest first. */
  range(from: number, to: number): PagedStore<TurnRecord>;
  checkpoint(id: string): ValueStore<Reply<'checkpoint'>>;
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
/** A range is searched as well as read: fewer, larger pages. */
const turnsPerRangePage = 500;
const keptRanges = 3;
const keptCheckpoints = 24;

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
  const checkpointStores = new Map<string, ValueStore<Reply<'checkpoint'>>>();
  const rangeStores = new Map<string, PagedStore<TurnRecord>>();
  const checkpoints = createPagedStore<CheckpointRecord>({
    fetchPage: (cursor) => client.call('sessionCheckpoints', { params, query: { cursor, limit: 100 } }),
    keyOf: (checkpoint) => checkpoint.checkpoint_id,
    growsAt: 'head',
    // Older ones are folded, dissolved and restored.
    changesAnywhere: true,
    now,
  });
  const job = createValueStore(async () => {
    const page = await client.call('jobs', { query: { session_uid: uid, type: 'compact', limit: 1 } });
    return page.items[0];
  }, now);
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
    job: soon(() => void (job.getState().status !== 'idle' && job.refresh()), 500),
    summary: soon(() => void summary.refresh(), 500),
    calls: soon(() => void calls.refresh(), 500),
    checkpoints: soon(() => {
      void checkpoints.refresh();
      checkpointStores.forEach((store) => void store.refresh());
    }, 500),
    turns: soon(() => turnStores.forEach((store) => void store.refresh()), 500),
  };
  return {
    summary,
    calls,
    checkpoints,
    job,
    compaction: createActionStore((focus: string) => compactNow(client, summary, focus), now),
    turns,
    range: (from, to) =>
      remember(rangeStores, `${from}-${to}`, keptRanges, () =>
        createPagedStore<TurnRecord>({
          fetchPage: (cursor) =>
            client.call('sessionTurns', {
              params,
              query: { cursor, from_sequence: from, to_sequence: to, limit: turnsPerRangePage },
            }),
          keyOf: (record) => record.turn.turn_id,
          growsAt: 'tail',
          now,
        }),
      ),
    checkpoint: (id) =>
      remember(checkpointStores, id, keptCheckpoints, () =>
        createValueStore(() => client.call('checkpoint', { params: { id } }), now),
      ),
    call: (callId) => remember(callStores, callId, keptCalls, () => createCallStores(client, callId, now)),
    take: (news) => takeNews(news, uid, refresh, callStores),
  };
}

/** Compacts now, whatever the triggers say. */
async function compactNow(
  client: EngineClient,
  summary: ValueStore<SessionSummary>,
  focus: string,
): Promise<Reply<'compact'>> {
  await summary.load();
  const session = summary.getState().value;
  if (session === undefined) throw summary.getState().error ?? new TypeError('The session could not be read');
  const { session_id, session_key, agent_id, user_id, last_budget } = session;
  const body = {
    ...{ session_id, session_key, agent_id, user_id },
    force: true,
    trigger: 'manual' as const,
    ...(last_budget === undefined || last_budget === 0 ? {} : { token_budget: last_budget }),
    ...(focus === '' ? {} : { custom_instructions: focus }),
  };
  return client.call('compact', { body });
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
  refresh: Record<'summary' | 'calls' | 'checkpoints' | 'turns' | 'job', () => void>,
  callStores: ReadonlyMap<string, CallStores>,
): void {
  if (news.type === 'missed') return Object.values(refresh).forEach((job) => job());
  if (!('session_uid' in news) || news.session_uid !== uid) return;
  // Announced several times a second while a job goes on; what a job does to the session is announced by itself.
  if (news.type === 'job.changed') return refresh.job();
  refresh.summary();
  switch (news.type) {
    case 'turns.committed':
      return refresh.turns();
    case 'call.assembled':
      return refresh.calls();
    case 'call.paused':
    case 'call.resumed':
      return refresh.calls();
    case 'call.usage':
      void callStores.get(news.call_id)?.trace.refresh();
      return refresh.calls();
    case 'checkpoint.created':
      refresh.turns();
      return refresh.checkpoints();
    case 'session.changed':
      // Also what stands in it: a checkpoint that is dissolved or given back is told this way.
      return refresh.checkpoints();
  }
}

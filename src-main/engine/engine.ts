import type { EngineApi } from '../../src-shared/protocol/api.ts';
import type { AssembleTrace, Degraded } from '../../src-shared/model/trace.ts';
import { EngineError, type ErrorCode } from '../../src-shared/model/engine-error.ts';
import { Assembler } from './assemble/assembler.ts';
import { Breakpoints } from './assemble/breakpoints/breakpoints.ts';
import { createBreakpointsApi } from './assemble/breakpoints/breakpoints-api.ts';
import { createCallMemory } from './assemble/create-call-memory.ts';
import { CallRetention } from './assemble/call-retention.ts';
import { createCompaction, offerCompaction } from './compact/create-compaction.ts';
import type { EngineParts } from './engine-parts.ts';
import { withEventTap } from './events/with-event-tap.ts';
import { HostLink } from './host-link/host-link.ts';
import { UsageRecorder } from './host-link/usage-recorder.ts';
import { createJobsApi } from './jobs/jobs-api.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { createMemory, type Memory } from './memory/create-memory.ts';
import type { Job } from './ports/job-queue.ts';
import type { Page, PageRequest, TurnMeta } from './ports/session-store.ts';
import { readCallMessages } from './reading/call-messages.ts';
import { checkpointRecord } from './reading/checkpoint-record.ts';
import { createInspectorApi } from './reading/create-inspector-api.ts';
import { createCallPagesJob } from './reading/fill-call-pages.ts';
import { expand } from './reading/expand.ts';
import { SessionReader } from './reading/session-reader.ts';
import { StoreHealth } from './reading/store-health.ts';
import { unknownCall } from './reading/unknown-call.ts';
import { StrategyRegistry } from './strategies/registry.ts';
import { TokenCounter } from './tokens/token-counter.ts';
import { externaliseResult } from './tool-results/externalise-result.ts';
import { exportTranscript } from './transcripts/export-transcript.ts';
import { importTranscript } from './transcripts/import-transcript.ts';
import { CatchUp } from './turns/catch-up.ts';
import { HostViews } from './turns/host-views.ts';
import { resolveIdentity } from './turns/resolve-identity.ts';
import { SessionLife } from './turns/session-life.ts';
import { TurnLog } from './turns/turn-log.ts';

/** Work in the background is waited for this long when the engine is closed (ms). */
const settleMs = 2_000;

export interface Engine {
  readonly api: EngineApi;
  readonly strategies: StrategyRegistry;
  /** Background work: register a handler for a type, then enqueue. */
  readonly jobs: JobRunner;
  readonly memory: Memory;
  /** Ends what the engine itself runs; the store is closed by who opened it. */
  close(): Promise<void>;
}

/** Wires the capabilities of one data directory together. */
export function createEngine(given: EngineParts): Engine {
  // The index of memory follows what the others announce.
  const parts = withEventTap(given, (event) => memory.indexing.note(event));
  const { store, config, clock } = parts;
  const counter = new TokenCounter(parts.tokenizer);
  const strategies = new StrategyRegistry(config.strategy, parts.dataDir);
  const link = new HostLink(parts);
  const life = new SessionLife(parts);
  const views = new HostViews();
  const usage = new UsageRecorder(parts);
  const log = new TurnLog(parts, counter, life, views, (result, messages, { compactThreshold }) => {
    usage.noteStored(result, messages);
    memory.noteStored(result.session, result.stored);
    scheduler.noteStored(result.session, result.stored, compactThreshold);
    assembler.noteStored(result.session, result.stored.length);
  });
  const catchUp = new CatchUp(parts, log);
  const retention = new CallRetention(parts);
  const jobs = new JobRunner(
    {
      ...{ queue: parts.jobs, clock, events: parts.events, log: parts.log },
      onDead: (count, newest) => link.noteDeadJobs(newest && describeDead(count, newest, clock.now())),
      onFailure: (error) => link.noteStoreFailure(error),
    },
    { concurrency: config.jobs.concurrency, keepDays: config.retention.jobs_days },
  );
  const memory = createMemory(parts, jobs, counter);
  const callMemory = createCallMemory(parts, memory, memory.access, counter);
  const breakpoints = new Breakpoints(parts);
  const observer = {
    degraded: (degraded: Degraded, sessionId: string) => link.noteDegraded(degraded, sessionId),
    notRecorded: (error: unknown) => link.noteStoreFailure(error),
    recorded: () => retention.noteRecorded(),
    answering: (trace: AssembleTrace, leftMs: number) => breakpoints.waitFor(trace, leftMs),
  };
  const assembler = new Assembler(parts, counter, strategies, views, observer, callMemory);
  const { compactor, scheduler, api: compactionApi } = createCompaction(parts, counter, strategies, jobs, memory.flush);
  const storeHealth = new StoreHealth(store, (error) => link.noteStoreFailure(error));
  const reader = new SessionReader(store, {
    strategyOf: (session) => strategies.nameFor(session),
    isCompacting: (uid) => compactor.isRunning(uid),
    compactionOf: (uid) => scheduler.stateOf(uid),
  });

  /** Health tells of turns that are stored, and of those that could not be. */
  async function storing<T>(isCommit: boolean, store: () => Promise<T>, sessionId?: string): Promise<T> {
    try {
      const reply = await store();
      if (sessionId !== undefined) link.noteStored(isCommit, sessionId);
      return reply;
    } catch (error) {
      if (error instanceof EngineError && storeFailures.has(error.code)) link.noteStoreFailure(error);
      throw error;
    }
  }

  const api: EngineApi = {
    health: async () => {
      const stats = await storeHealth.read();
      return {
        version: parts.version,
        ready: stats.isFresh,
        pid: parts.pid,
        started_at: new Date(parts.startedAt).toISOString(),
        mode: parts.mode,
        host: link.state(),
        store: {
          schema_version: stats.schemaVersion,
          sessions: stats.sessions,
          turns: stats.turns,
          size_bytes: stats.sizeBytes,
        },
        index: await memory.indexing.health(),
        breakpoints: breakpoints.counts(),
        alarms: [...link.alarms(), ...memory.alarms()],
      };
    },
    bootstrap: async ({ body }) => {
      link.noteCall('bootstrap', body.session_id);
      const reply = await storing(false, () => catchUp.bootstrap(body));
      link.nameSession(body.session_id, reply.session_uid);
      if (reply.imported > 0) link.noteStored(false, body.session_id);
      if (body.complete !== undefined) link.noteCatchUp(body.complete, body.session_id);
      return reply;
    },
    ingest: async ({ body }) => {
      link.noteCall('ingest', body.session_id);
      if (body.complete !== undefined) link.noteCatchUp(body.complete, body.session_id);
      return storing(false, () => catchUp.ingest(body), body.session_id);
    },
    commitTurn: async ({ body }) => {
      link.noteCall('commitTurn', body.session_id);
      return storing(true, () => log.commitTurn(body), body.session_id);
    },
    afterTurn: async ({ body }) => {
      link.noteCall('afterTurn', body.session_id);
      return storing(true, () => log.afterTurn(body), body.session_id);
    },
    prefetch: async ({ body }) => {
      link.noteCall('prefetch', body.session_id);
      return { accepted: await assembler.prefetch(resolveIdentity(body, config.user_id), body) };
    },
    assemble: async ({ body }) => {
      link.noteCall('assemble', body.session_id);
      return assembler.assemble(body);
    },
    // Not noted: people call it from the command line and the inspector, and a host that does has called before.
    ...compactionApi,
    maintain: async ({ body }) => {
      link.noteCall('maintain', body.session_id);
      const compaction = body.can_complete ? await offerCompaction(parts, scheduler, body) : undefined;
      return { changed: false, ...(compaction === undefined ? {} : { compaction }) };
    },
    sessionEnd: async ({ body }) => {
      link.noteCall('sessionEnd', body.session_id);
      const reply = await life.end(body);
      await memory.noteEnded(body);
      return reply;
    },
    subagentPrepare: async ({ body }) => life.prepareSubagent(body),
    subagentEnded: async ({ body }) => life.subagentEnded(body.child_session_key, body.reason),
    hostEvents: async ({ body }) => {
      for (const event of body.events) {
        link.noteEvent(event);
        const session = await usage.noteEvent(event);
        if (session) link.nameSession(session.sessionId, session.uid);
      }
      return { accepted: true };
    },
    toolResult: async ({ body }) => storing(false, () => externaliseResult(body, parts, counter)),
    memoryExpand: async ({ body }) =>
      expand(body, { store, counter, defaultUser: config.user_id, pages: memory.pages, access: memory.access }),
    sessions: async ({ query }) => {
      const page = await store.listSessions(pageOf(query), { agentId: query.agent_id, sessionKey: query.session_key });
      return { items: page.items.map((row) => reader.summary(row)), next_cursor: page.nextCursor, total: page.total };
    },
    session: async ({ params }) => reader.summary(await reader.find(params.id)),
    sessionTurns: async ({ params, query }) => {
      const session = await reader.find(params.id);
      const page =
        query.sequence === undefined
          ? await store.pageTurns(session.uid, pageOf(query), {
              order: query.order,
              epoch: query.epoch,
              from: query.from_sequence,
              to: query.to_sequence,
            })
          : onePage(await store.turnsInRange(session.uid, query.sequence, query.sequence, 1));
      return { items: await reader.records(session, page, query.raw), next_cursor: page.nextCursor, total: page.total };
    },
    sessionCheckpoints: async ({ params, query }) => {
      const session = await reader.find(params.id);
      const page = await store.pageCheckpoints(session.uid, pageOf(query));
      return { items: page.items.map(checkpointRecord), next_cursor: page.nextCursor, total: page.total };
    },
    sessionCalls: async ({ params, query }) => {
      const session = await reader.find(params.id);
      const page = await store.pageCalls(session.uid, pageOf(query));
      return { items: [...page.items], next_cursor: page.nextCursor, total: page.total };
    },
    exportSession: async ({ params }) => {
      const session = await reader.find(params.id);
      let jsonl = '';
      for await (const lines of exportTranscript(store, session, clock.now())) jsonl += lines;
      return jsonl;
    },
    importSession: async ({ body }) => importTranscript(body.jsonl, parts, counter),
    call: async ({ params }) => {
      const found = await store.findCall(params.id);
      if (!found) throw unknownCall(params.id);
      return { trace: found.trace, ...(found.usage ? { usage: found.usage } : {}) };
    },
    ...createJobsApi(parts.jobs, jobs),
    ...memory.api,
    ...createBreakpointsApi(breakpoints),
    ...createInspectorApi(parts, counter, strategies, memory, reader),
    callMessages: async ({ params }) => {
      const found = await store.findCall(params.id);
      if (!found) throw unknownCall(params.id);
      return readCallMessages(found.trace, store);
    },
  };

  const callPages = createCallPagesJob(parts, jobs);
  jobs.start();
  void callPages.start();
  assembler.start();
  memory.start();
  return {
    api,
    strategies,
    jobs,
    memory,
    close: async () => {
      breakpoints.stop();
      await callMemory.recalls.stop(settleMs);
      callMemory.standing.stop();
      await memory.stop();
      await scheduler.settled();
      await jobs.stop(settleMs);
      await Promise.all([assembler.settled(settleMs), compactor.settled(settleMs), usage.settled(settleMs)]);
      await retention.settled();
      await parts.tokenizer.close();
      await parts.stubs.close();
    },
  };
}

const storeFailures: ReadonlySet<ErrorCode> = new Set(['store_failed', 'store_corrupt', 'disk_full']);

function describeDead(count: number, { type, lastError, finishedAt }: Job, now: number) {
  return { count, type, error: lastError ?? 'no reason given', at: finishedAt ?? now };
}

function pageOf(query: { readonly cursor?: string | undefined; readonly limit: number }): PageRequest {
  return { cursor: query.cursor, limit: query.limit };
}

function onePage(items: readonly TurnMeta[]): Page<TurnMeta> {
  return { items, nextCursor: undefined, total: items.length };
}

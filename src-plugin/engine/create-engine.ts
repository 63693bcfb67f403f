import {
  commitTurnRoute,
  ingestRoute,
  subagentEndedRoute,
  subagentPrepareRoute,
  type PluginRoute,
} from '../daemon/plugin-routes.ts';
import type {
  AssembleParams,
  AssembleResult,
  BootstrapResult,
  CompactResult,
  HostContextEngine,
} from '../host-types.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { tokenEstimate } from '../messages/token-estimate.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { pluginVersion } from '../plugin-version.ts';
import { sessionIdentity } from '../session-identity.ts';
import { assembleContext } from './assemble-context.ts';
import { captureAfterTurn } from './capture-after-turn.ts';
import { catchUp, type LoadTranscriptReader } from './catch-up.ts';
import { compactSession } from './compact-session.ts';
import { maintainSession } from './maintain-session.ts';
import type { DelegateCompaction } from './delegate-compaction.ts';
import { storeTurn } from './store-turn.ts';
import { TurnBudget } from './turn-budget.ts';
import { modelOf, tokensOf } from './turn-facts.ts';

export interface HostFunctions {
  readonly delegateCompaction: DelegateCompaction;
  readonly loadTranscriptReader: LoadTranscriptReader;
}

/** Calls that only inform the daemon may take so long (ms). */
const noticeMs = 1_000;

/**
 * The engine that the host gets for one turn: a stub that asks the daemon. No method throws, except commitTurn when the
 * turn could be stored nowhere, so that the host keeps it and offers it again.
 */
export async function createEngine(runtime: PluginRuntime, host: HostFunctions): Promise<HostContextEngine> {
  const { config, link, events, shared, warn } = runtime;
  const ownsCompaction = await link.isHealthy();
  reportRegistration(runtime);
  const budget = new TurnBudget();
  /** Keys of the messages that the daemon put into the lists of this turn. */
  const ours = new Set<string>();
  let recapped = false;

  const meet = (session: { sessionId: string; sessionKey?: string | undefined }): void => {
    if (session.sessionKey !== undefined) shared.sessionIds.set(session.sessionKey, session.sessionId);
  };
  const ingest = async (
    params: { sessionId: string; sessionKey?: string | undefined; isHeartbeat?: boolean },
    messages: HostMessage[],
  ) => {
    meet(params);
    if (!config.autoCapture || messages.length === 0) return 0;
    const heartbeat = params.isHeartbeat === undefined ? {} : { is_heartbeat: params.isHeartbeat };
    const request = { ...sessionIdentity(params, config.agentId), format: 'openclaw' as const, ...heartbeat };
    const outcome = await storeTurn(runtime, { ...ingestRoute, path: '/v1/ingest' }, request, messages);
    return outcome.kind === 'stored' ? outcome.reply.imported : messages.length;
  };

  const notice = async <Body, Reply>(method: string, route: PluginRoute<Body, Reply>, body: Body): Promise<void> => {
    await unless(warn, method, undefined, async () => {
      await link.call(route, body, { timeoutMs: noticeMs, mayBeSlow: true });
      return undefined;
    });
  };

  return {
    info: {
      id: 'strata',
      name: 'Strata',
      version: pluginVersion,
      ownsCompaction,
      // The session's model may be asked for a summary there; no turn must wait for that.
      turnMaintenanceMode: 'background',
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    },

    async bootstrap(params) {
      budget.reset();
      meet(params);
      if (!config.autoCapture) return { bootstrapped: false, reason: 'autoCapture is off' };
      return await unless<BootstrapResult>(warn, 'bootstrap', { bootstrapped: false, reason: 'failed' }, async () => {
        await runtime.spool.deliver(config.storeTimeoutMs / 2);
        const { bootstrapped, imported, reason } = await catchUp(runtime, params, host.loadTranscriptReader);
        return { bootstrapped, importedMessages: imported, ...(reason === undefined ? {} : { reason }) };
      });
    },

    async ingest(params) {
      return await unless(warn, 'ingest', { ingested: false }, async () => ({
        ingested: (await ingest(params, [params.message])) > 0,
      }));
    },

    async ingestBatch(params) {
      return await unless(warn, 'ingestBatch', { ingestedCount: 0 }, async () => ({
        ingestedCount: await ingest(params, params.messages),
      }));
    },

    async afterTurn(params) {
      meet(params);
      if (!config.autoCapture) return;
      await unless(warn, 'afterTurn', undefined, async () => {
        const recap = !recapped;
        recapped = true;
        await captureAfterTurn(runtime, params, recap);
        return undefined;
      });
    },

    async commitTurn(params) {
      meet(params);
      if (!config.autoCapture) return { status: 'committed' };
      const tokenBudget = tokensOf(params.runtimeContext?.tokenBudget);
      const model = modelOf(params.runtimeContext);
      const request = {
        ...sessionIdentity(params, config.agentId),
        advancement_key: params.advancementKey,
        format: 'openclaw' as const,
        ...(tokenBudget === undefined ? {} : { token_budget: tokenBudget }),
        ...(model === undefined ? {} : { model }),
        ...(config.compactThreshold === undefined ? {} : { compact_threshold: config.compactThreshold }),
        ...(params.isHeartbeat === undefined ? {} : { is_heartbeat: params.isHeartbeat }),
      };
      const outcome = await storeTurn(
        runtime,
        { ...commitTurnRoute, path: '/v1/commit-turn' },
        request,
        params.messages,
      );
      return { status: outcome.kind === 'stored' ? outcome.reply.status : 'committed' };
    },

    async assemble(params) {
      // The host's own list is the answer to whatever goes wrong in here: without a list there is no turn.
      const given: unknown = (params as AssembleParams | undefined)?.messages;
      const messages = Array.isArray(given) ? (given as HostMessage[]) : [];
      const result = await unless<AssembleResult | undefined>(warn, 'assemble', undefined, async () => {
        meet(params);
        shared.assembled.set(params.sessionKey ?? params.sessionId, true);
        return await assembleContext(runtime, params, budget.next(params.tokenBudget), ours);
      });
      if (result !== undefined) return result;
      return { messages, estimatedTokens: messages.reduce((sum, message) => sum + tokenEstimate(message), 0) };
    },

    async compact(params) {
      meet(params);
      const options = { owns: ownsCompaction, netBudget: budget.net, delegate: host.delegateCompaction };
      const failure = { ok: false, compacted: false, reason: 'the plugin failed' };
      const result = await unless<CompactResult>(warn, 'compact', failure, () =>
        compactSession(runtime, params, options),
      );
      budget.reset();
      return result;
    },

    async maintain(params) {
      const unchanged = { changed: false, bytesFreed: 0, rewrittenEntries: 0 };
      return await unless(warn, 'maintain', unchanged, async () => {
        await maintainSession(runtime, params);
        return unchanged;
      });
    },

    async prepareSubagentSpawn(params) {
      const child = params.childSessionKey;
      const body = {
        parent_session_key: params.parentSessionKey,
        child_session_key: child,
        context_mode: params.contextMode ?? ('isolated' as const),
      };
      await notice('prepareSubagentSpawn', subagentPrepareRoute, body);
      return {
        rollback: async () => {
          const ended = { child_session_key: child, reason: 'rolled_back' as const };
          await notice('rollback', subagentEndedRoute, ended);
        },
      };
    },

    async onSubagentEnded(params) {
      const body = { child_session_key: params.childSessionKey, reason: params.reason };
      await notice('onSubagentEnded', subagentEndedRoute, body);
    },

    async dispose() {
      // Nothing is closed: the host reloads plugins in one process. A short-lived host only waits for observations.
      await events.settled();
    },
  };
}

/** Runs one life-cycle method; a fault of the plugin itself must not break the host's turn. */
async function unless<T>(warn: PluginRuntime['warn'], method: string, otherwise: T, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    warn(`${method} failed: ${error instanceof Error ? error.message : String(error)}`, method);
    return otherwise;
  }
}

function reportRegistration({ shared, events, hostVersion }: PluginRuntime): void {
  const daemon = shared.daemonStartedAt ?? 'not met yet';
  if (shared.registrationReportedTo === daemon) return;
  shared.registrationReportedTo = daemon;
  const host = hostVersion === undefined ? {} : { host_version: hostVersion };
  events.add({ type: 'plugin_registered', plugin_version: pluginVersion, ...host });
}

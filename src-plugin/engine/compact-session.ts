import {
  compactRoute,
  prepareCompactionRoute,
  type CompactAnswer,
  type CompactBody,
  type PreparedQuestion,
} from '../daemon/plugin-routes.ts';
import type { CallLimits } from '../daemon/daemon-link.ts';
import type { DaemonResult } from '../daemon/daemon-failure.ts';
import type { CompactParams, CompactResult } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import { askHostModel } from './ask-host-model.ts';
import type { DelegateCompaction } from './delegate-compaction.ts';

/**
 * Together 160 s (ms), below the host's own limit of 180 s, so that the delegate has time left when daemon and model had
 * none: delivering the spool, preparing the question (which reads the conversation), all questions to the model, and the
 * daemon by itself.
 */
export const compactLimits = { spoolMs: 5_000, prepareMs: 15_000, modelMs: 80_000, compactMs: 60_000 };
export type CompactLimits = Readonly<typeof compactLimits>;

/**
 * Compacts in the daemon when the engine owns compaction, else in the host's runtime. If the daemon fails, the runtime
 * does it after all, and also when an overflow comes to nothing there: it must not end without anybody shrinking the
 * context.
 */
export async function compactSession(
  runtime: PluginRuntime,
  params: CompactParams,
  options: { owns: boolean; netBudget: number | undefined; delegate: DelegateCompaction; limits?: CompactLimits },
): Promise<CompactResult> {
  const { limits = compactLimits } = options;
  let reason = 'the engine does not own compaction now';
  if (options.owns) {
    await runtime.spool.deliver(limits.spoolMs);
    const body = compactBody(runtime, params, options.netBudget);
    const result = await compactInDaemon(runtime, params, body, limits);
    if (result.ok) {
      const answer = toHostResult(result.reply);
      if (answer.compacted || body.trigger !== 'overflow') return answer;
      reason = answer.reason ?? 'the daemon freed nothing';
    } else reason = result.failure.message;
    if (params.abortSignal?.aborted === true) return { ok: false, compacted: false, reason: 'aborted' };
    runtime.warn(`The host compacts instead of the daemon: ${reason}`, 'compact');
  }
  try {
    return await options.delegate(params);
  } catch (error) {
    return { ok: false, compacted: false, reason: `${reason}; the host's runtime failed too: ${String(error)}` };
  }
}

/** By the session's own model where the daemon wants that and the host offers it, else by the daemon alone. */
async function compactInDaemon(
  runtime: PluginRuntime,
  params: CompactParams,
  body: CompactBody,
  limits: CompactLimits,
): Promise<DaemonResult<CompactAnswer>> {
  const { abortSignal: signal } = params;
  const llm = params.runtimeContext?.llm;
  if (typeof llm?.complete === 'function') {
    const prepared = await prepare(runtime, body, { timeoutMs: limits.prepareMs, signal });
    const asking = { totalMs: limits.modelMs, signal };
    const answer = prepared && (await askHostModel(runtime, llm, body, prepared, asking));
    // A summary that was refused to the end, or an answer that got lost: the daemon does it by itself.
    if (answer?.ok === true && (answer.compacted || answer.next === undefined)) return { ok: true, reply: answer };
  }
  return runtime.link.call(compactRoute, body, { timeoutMs: limits.compactMs, signal });
}

async function prepare(
  runtime: PluginRuntime,
  body: CompactBody,
  limits: CallLimits,
): Promise<PreparedQuestion | undefined> {
  const result = await runtime.link.call(prepareCompactionRoute, body, limits);
  // An older daemon has no such route; whatever it is, the compaction itself will tell.
  return result.ok ? result.reply.prepared : undefined;
}

function compactBody(runtime: PluginRuntime, params: CompactParams, netBudget: number | undefined): CompactBody {
  const { trigger, attempt } = params.runtimeContext ?? {};
  const budget = smallest(positive(params.tokenBudget), positive(netBudget));
  const counted = params.currentTokenCount;
  return {
    ...sessionIdentity(params, runtime.config.agentId),
    trigger: trigger === 'overflow' || trigger === 'manual' || trigger === 'budget' ? trigger : 'host',
    ...(budget === undefined ? {} : { token_budget: budget }),
    ...(params.force === undefined ? {} : { force: params.force }),
    ...(typeof counted === 'number' && counted >= 0 ? { current_token_count: Math.floor(counted) } : {}),
    ...(params.compactionTarget === undefined ? {} : { target: params.compactionTarget }),
    ...(typeof attempt === 'number' && Number.isInteger(attempt) && attempt > 0
      ? { attempt: Math.min(100, attempt) }
      : {}),
    ...(params.customInstructions ? { custom_instructions: params.customInstructions.slice(0, 10_000) } : {}),
  };
}

function toHostResult(answer: CompactAnswer): CompactResult {
  const { ok, summary, firstKeptEntryId, checkpointId } = answer;
  // The host tries the same prompt again after a compaction; one that frees nothing would make it fail again.
  const freedNothing = answer.compacted && answer.tokensAfter >= answer.tokensBefore;
  const compacted = answer.compacted && !freedNothing;
  const reason = freedNothing ? 'nothing_freed' : answer.reason;
  return {
    ok,
    compacted,
    ...(reason === undefined ? {} : { reason }),
    result: {
      tokensBefore: answer.tokensBefore,
      tokensAfter: answer.tokensAfter,
      ...(summary === undefined ? {} : { summary }),
      ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }),
      ...(checkpointId === undefined ? {} : { details: { checkpointId } }),
    },
  };
}

function positive(value: number | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;
}

function smallest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

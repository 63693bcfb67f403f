import { maintainRoute } from '../daemon/plugin-routes.ts';
import type { MaintainParams } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import { askHostModel } from './ask-host-model.ts';

/** Also prepares the question for the model, when there is one (ms). */
const offerMs = 15_000;
const noticeMs = 1_000;
/** Time for all summaries of one offer (ms). */
const modelMs = 150_000;

/**
 * Offers the session's own model to the daemon for a compaction that is due. Only after a turn: while one is prepared
 * the user waits, and there is nothing that the transcript may be rewritten with.
 */
export async function maintainSession(runtime: PluginRuntime, params: MaintainParams): Promise<void> {
  const { llm, rewriteTranscriptEntries } = params.runtimeContext ?? {};
  const identity = sessionIdentity(params, runtime.config.agentId);
  const signal = params.abortSignal;
  const mayAsk = typeof llm?.complete === 'function' && typeof rewriteTranscriptEntries === 'function';
  const limits = { timeoutMs: mayAsk ? offerMs : noticeMs, signal };
  const offered = await runtime.link.call(maintainRoute, { ...identity, can_complete: mayAsk }, limits);
  const question = offered.ok ? offered.reply.compaction : undefined;
  if (question === undefined || llm === undefined) return;
  // What the compaction was triggered by is in the reservation.
  await askHostModel(runtime, llm, identity, question, { totalMs: modelMs, signal });
}

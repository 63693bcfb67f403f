import { memoryRecallRoute } from '../daemon/plugin-routes.ts';
import type { HostHookContext, HostHookEvents } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { callerOf } from '../tools/memory-tools.ts';

/** The user waits for it (ms). */
const timeoutMs = 1_000;
const fewestTokens = 50;
const tokensByDefault = 1_000;

/**
 * Where the host builds a context without the engine (it is not selected, or was passed over), what memory holds about the
 * message is put before it. Never both: where the engine was asked for this turn, the recall is in its list.
 */
export async function recallWithoutEngine(
  runtime: PluginRuntime,
  event: HostHookEvents['before_prompt_build'],
  context: HostHookContext,
): Promise<{ prependContext: string } | undefined> {
  const { config, link, shared } = runtime;
  const session = context.sessionKey ?? context.sessionId;
  const said = (event.currentUserMessage ?? event.prompt).trim();
  if (config.recall.enabled === false || session === undefined || said === '') return undefined;
  if (wasAssembled(runtime, session, context.runId)) return undefined;
  const body = {
    ...callerOf(runtime, context),
    query: said.slice(0, 10_000),
    max_tokens: Math.max(fewestTokens, config.recall.max_tokens ?? tokensByDefault),
    ...(config.recall.limit === undefined ? {} : { limit: config.recall.limit }),
  };
  const result = await link.call(memoryRecallRoute, body, { timeoutMs, mayBeSlow: true });
  if (!result.ok) {
    runtime.warn(`Nothing was recalled for a turn without the engine: ${result.failure.message}`, 'fallback recall');
    return undefined;
  }
  const { text, result: found } = result.reply;
  const packed = isFields(found) && Array.isArray(found['candidates']) ? found['candidates'].filter(isPacked) : [];
  if (typeof text !== 'string' || packed.length === 0) return undefined;
  shared.lastFallbacks.set(session, said);
  // The tag is one that every capture knows as injected.
  const quoted = text.replace(/<(?=\s*\/?\s*strata-)/gi, '&lt;');
  return {
    prependContext: `<strata-context source="recall" trust="untrusted-memory">\n${quoted}\n</strata-context>\n\n`,
  };
}

/** The engine's call of this turn is used up by the turn's first prompt; a run that is prepared again asks by its id. */
function wasAssembled({ shared }: PluginRuntime, session: string, runId: string | undefined): boolean {
  const known = runId === undefined ? undefined : shared.assembledRuns.get(runId);
  if (known !== undefined) return known;
  const wasCalled = shared.assembled.has(session);
  shared.assembled.delete(session);
  if (runId !== undefined) shared.assembledRuns.set(runId, wasCalled);
  return wasCalled;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPacked(value: unknown): boolean {
  return isFields(value) && value['packed'] === true;
}

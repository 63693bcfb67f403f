import { assembleRoute, type AssembleAnswer, type AssembleBody } from '../daemon/plugin-routes.ts';
import type { AssembleParams, AssembleResult } from '../host-types.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { isMessage } from '../messages/is-message.ts';
import { messageKey } from '../messages/message-key.ts';
import { selectForBudget } from '../messages/select-for-budget.ts';
import { sendMessages } from '../messages/send-messages.ts';
import { tokenEstimate } from '../messages/token-estimate.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import { dropsUnknownTools } from './drops-unknown-tools.ts';
import { applyPlan } from './apply-plan.ts';

/** The daemon is asked to answer this much (ms) before the plugin stops waiting. */
const marginMs = 250;
/** Share of the time that waiting requests may take before the context is asked for. */
const spoolShare = 0.4;

/**
 * Asks the daemon for the message list of one model call. Whatever happens, the host gets a list within the configured
 * time: at worst its own.
 * @param ours keys of the messages that the daemon put into this turn's lists. In a tool loop the host passes the list
 * that it got before, summaries included; the daemon must not take its own summaries for history.
 */
export async function assembleContext(
  runtime: PluginRuntime,
  params: AssembleParams,
  budget: number | undefined,
  ours: Set<string>,
): Promise<AssembleResult> {
  const { config, shared } = runtime;
  const messages = Array.isArray(params.messages) ? params.messages : [];
  const session = params.sessionKey ?? params.sessionId;
  const deadline = new Promise<'deadline'>((resolve) => {
    setTimeout(resolve, config.assembleTimeoutMs, 'deadline').unref();
  });
  const asked = ask(runtime, params, messages, budget, ours).catch((error: unknown) => `failed: ${String(error)}`);
  const answer = await Promise.race([asked, deadline]);
  if (typeof answer === 'string') {
    runtime.warn(`Using the host's own messages for a model call: ${answer}`, 'assemble');
    const addition = shared.additions.get(session);
    const tokens = messages.reduce((sum, message) => sum + tokenEstimate(message), 0);
    shared.lastCalls.set(session, { callId: undefined, tokens, budget, fallback: answer });
    // The addition of the call before keeps the system prompt, and the provider's cache of it, as they were.
    return { messages, estimatedTokens: tokens, ...(addition === undefined ? {} : { systemPromptAddition: addition }) };
  }
  const { callId, estimatedTokens, systemPromptAddition } = answer;
  shared.lastCalls.set(session, { callId, tokens: estimatedTokens, budget, fallback: undefined });
  if (systemPromptAddition === undefined) shared.additions.delete(session);
  else shared.additions.set(session, systemPromptAddition);
  return {
    messages: answer.messages,
    estimatedTokens,
    ...(systemPromptAddition === undefined ? {} : { systemPromptAddition }),
  };
}

type Answer = AssembleAnswer & { readonly messages: HostMessage[] };

/** @returns the daemon's answer, or why there is none */
async function ask(
  runtime: PluginRuntime,
  params: AssembleParams,
  messages: readonly HostMessage[],
  budget: number | undefined,
  ours: Set<string>,
): Promise<Answer | string> {
  const { config, spool } = runtime;
  if (!messages.every(isMessage)) return 'the list of the host holds something that is no message';
  const end = performance.now() + config.assembleTimeoutMs;
  await runtime.shared.endings.get(params.sessionId);
  const waiting = await spool.deliver(config.assembleTimeoutMs * spoolShare);
  if (waiting > 0 && (await spool.holds('/v1/session-end', params.sessionId))) {
    return 'the daemon has not heard of the reset of this session yet';
  }
  const isOurs = (position: number): boolean => ours.has(messageKey(messages[position] ?? {}));
  const described = selectForBudget(messages, budget).filter((position) => ours.size === 0 || !isOurs(position));
  const timeoutMs = Math.max(1, end - performance.now());
  const recall = dropsUnknownTools(runtime.hostVersion) ? { ...config.recall, form: 'text' as const } : config.recall;
  const request: Omit<AssembleBody, 'messages'> = {
    ...sessionIdentity(params, config.agentId),
    format: 'openclaw',
    history: 'full',
    reply: 'plan',
    host_count: messages.length,
    deadline_ms: Math.max(1, Math.floor(timeoutMs - Math.min(marginMs, timeoutMs / 2))),
    ...(described.length === messages.length ? {} : { indexes: described }),
    ...(budget === undefined ? {} : { token_budget: budget }),
    ...(params.prompt ? { prompt: params.prompt } : {}),
    ...(params.model ? { model: params.model } : {}),
    ...(Object.keys(recall).length === 0 ? {} : { recall }),
    ...(config.recentRawTurnCount === undefined ? {} : { recent_raw_turn_count: config.recentRawTurnCount }),
    ...(params.availableTools === undefined ? {} : { available_tools: [...params.availableTools] }),
  };
  const bodies = described.map((position) => messages[position] ?? {});
  const result = await sendMessages(runtime, assembleRoute, request, bodies, { refs: 'all', timeoutMs });
  if (!result.ok) return result.failure.message;
  const list = applyPlan(result.reply.plan, messages, described);
  if (list === undefined)
    return 'the plan of the daemon does not fit the list of messages, or lacks its newest message';
  // A shortened copy of the host's own message is not ours: in a tool loop it is all that is left of that message.
  for (const entry of result.reply.plan) {
    if ('inline' in entry && entry.replaces === undefined) ours.add(messageKey(entry.inline));
  }
  return { ...result.reply, messages: list };
}

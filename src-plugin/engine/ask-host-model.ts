import { compactRoute, type CompactAnswer, type CompactBody, type PreparedQuestion } from '../daemon/plugin-routes.ts';
import type { DaemonResult } from '../daemon/daemon-failure.ts';
import type { HostLlm } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';

export interface AskLimits {
  /** Time for all questions together (ms). */
  readonly totalMs: number;
  /** A summary that takes a model longer than this is written without it (ms). */
  readonly answerMs?: number;
  /** Storing one answer (ms); the daemon writes the summary itself where the answer is no good. */
  readonly storeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export const askLimits = { answerMs: 60_000, storeMs: 20_000 };
/** A long conversation is archived piece by piece; what is left after so many is left for the next time. */
const mostQuestions = 12;

/**
 * Has the session's own model write the summaries that the daemon asks for, one after the other, and hands each in.
 * A model that fails costs one summary its quality, not the compaction: the daemon then writes that one itself.
 * @returns the daemon's newest answer; undefined when it never gave one
 */
export async function askHostModel(
  runtime: PluginRuntime,
  llm: HostLlm,
  body: CompactBody,
  first: PreparedQuestion,
  limits: AskLimits,
): Promise<CompactAnswer | undefined> {
  const { answerMs, storeMs, signal } = { ...askLimits, ...limits };
  const until = performance.now() + limits.totalMs;
  let answer: CompactAnswer | undefined;
  let question: PreparedQuestion | undefined = first;
  for (let asked = 0; question !== undefined && asked < mostQuestions; asked += 1) {
    const left = until - performance.now() - storeMs;
    if (asked > 0 && left <= 0) break;
    const said = await complete(llm, question, Math.min(answerMs, Math.max(1, left)), signal);
    if (signal?.aborted === true) break;
    const handedIn: DaemonResult<CompactAnswer> = await runtime.link.call(
      compactRoute,
      { ...body, reservation_id: question.reservationId, answer: said },
      { timeoutMs: storeMs, signal },
    );
    if (!handedIn.ok) {
      runtime.warn(`The summary could not be handed in: ${handedIn.failure.message}`, 'compact');
      break;
    }
    answer = handedIn.reply;
    question = answer.next;
  }
  return answer;
}

type Said = NonNullable<CompactBody['answer']>;

async function complete(
  llm: HostLlm,
  question: PreparedQuestion,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Said> {
  const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
  const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  try {
    const result = await orAbort(
      llm.complete({
        systemPrompt: question.system,
        messages: [{ role: 'user', content: question.prompt }],
        maxTokens: question.maxOutputTokens,
        purpose: 'strata compaction summary',
        signal: either,
      }),
      either,
    );
    if (typeof result?.text !== 'string') return { failure: 'the host’s model gave no text' };
    const { text, model, responseModel, stopReason, usage } = result;
    return {
      text: text.slice(0, 1_000_000),
      ...(typeof (responseModel ?? model) === 'string' ? { model: (responseModel ?? model).slice(0, 500) } : {}),
      ...(typeof stopReason === 'string' ? { stop_reason: stopReason.slice(0, 100) } : {}),
      ...count('input_tokens', usage?.inputTokens),
      ...count('output_tokens', usage?.outputTokens),
    };
  } catch (error) {
    const message = deadline.aborted ? `no answer within ${Math.round(timeoutMs / 1_000)} s` : String(error);
    return { failure: message.slice(0, 2_000) };
  }
}

/** A host that does not look at the signal must not hold us. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
    // Nothing is told of a signal that was given before.
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

function count(name: 'input_tokens' | 'output_tokens', value: number | undefined) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {};
}

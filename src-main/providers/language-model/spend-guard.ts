import { EngineError, type ErrorCode } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel, ModelReply, ModelRequest } from '../../engine/ports/language-model.ts';
import type { SpendLedger } from './spend-ledger.ts';

export interface SpendGuardParts {
  /** Tokens of prompts and answers per day (UTC); 0 sets no limit. */
  readonly dailyLimit: number;
  readonly ledger: SpendLedger;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
}

/** Failures for which an endpoint has not worked on the request, and charges nothing. */
const free: ReadonlySet<ErrorCode> = new Set([
  'model_unavailable',
  'model_refused',
  'model_rate_limited',
  'spend_limit',
]);

/**
 * Refuses requests that could exceed the day's limit: what a prompt takes by our count and the longest answer are set
 * aside before it is sent, and replaced by what the endpoint says afterwards. A request that was sent and came to nothing
 * counts with its prompt.
 */
export function withSpendGuard(model: LanguageModel, parts: SpendGuardParts): LanguageModel {
  let reserved = 0;
  return {
    ...model,
    complete: async (request) => {
      const prompt = await promptTokens(request, parts);
      const most = prompt + Math.min(request.maxOutputTokens, model.maxOutputTokens);
      reserved += most;
      try {
        await refuseBeyond(reserved, parts);
        const reply = await model.complete(request);
        await parts.ledger.add(today(parts), await spentOn(reply, prompt, parts));
        return reply;
      } catch (error) {
        const isFree = error instanceof EngineError && free.has(error.code);
        if (!isFree) await parts.ledger.add(today(parts), prompt);
        throw error;
      } finally {
        reserved -= most;
      }
    },
  };
}

/** Asked for when it is needed: an answer that comes after midnight counts for the day that has begun. */
function today({ now }: SpendGuardParts): string {
  return new Date(now()).toISOString().slice(0, 10);
}

async function refuseBeyond(wanted: number, parts: SpendGuardParts): Promise<void> {
  const { dailyLimit, ledger } = parts;
  const spent = await ledger.spent(today(parts));
  if (dailyLimit === 0 || spent + wanted <= dailyLimit) return;
  throw new EngineError(
    'spend_limit',
    `The model was given ${spent} tokens today, and this request could take ${wanted}; language_model.daily_token_limit is ${dailyLimit}. Raise it, or wait for the next day (UTC).`,
    { details: { spent, wanted, limit: dailyLimit } },
  );
}

async function promptTokens({ system, prompt }: ModelRequest, { countTokens }: SpendGuardParts): Promise<number> {
  return (await countTokens([system, prompt])).reduce((sum, tokens) => sum + tokens, 0);
}

async function spentOn(reply: ModelReply, prompt: number, { countTokens }: SpendGuardParts): Promise<number> {
  const output = reply.outputTokens ?? (await countTokens([reply.text]))[0] ?? 0;
  return (reply.inputTokens ?? prompt) + output;
}

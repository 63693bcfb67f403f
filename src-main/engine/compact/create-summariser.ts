import type { Config } from '../../../src-shared/model/config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import { createModelSummariser } from './model-summariser.ts';
import type { Prompts } from './prompts.ts';
import type { Summariser, Summary } from './summariser.ts';

export interface SummariserParts {
  readonly config: Pick<Config, 'compaction'>;
  readonly counter: TokenCounter;
  /** Both are there where `compaction.summariser` asks for an endpoint. */
  readonly model?: LanguageModel | undefined;
  readonly prompts?: Prompts | undefined;
}

/**
 * The summariser that the configuration names, with the extractive one behind it: whatever a model does, there is a
 * summary, which says who should have written it and why that one did not. `host` needs somebody who asks the host; by
 * itself it is the extractive one too.
 */
export function createSummariser({ config, counter, model, prompts }: SummariserParts): Summariser {
  const name = config.compaction.summariser;
  const extractive = createExtractiveSummariser(counter);
  if (name === 'extractive') return extractive;
  if (name === 'host')
    return instead(
      name,
      'no_host: the model of the host can only be asked from inside OpenClaw, by /compact or after a turn',
      extractive,
    );
  if (!model || !prompts)
    return instead(name, 'model_unavailable: no model is set up, language_model.base_url is empty', extractive);
  return withFallback(createModelSummariser({ name, model, counter, prompts }), extractive);
}

/** The first, or the second when the first fails; only what was given up, or has no source, has no summary at all. */
export function withFallback(first: Summariser, second: Summariser): Summariser {
  return {
    name: first.name,
    summarise: async (request) => {
      try {
        return await first.summarise(request);
      } catch (error) {
        if (request.signal?.aborted) throw aborted(error);
        if (error instanceof EngineError && error.code === 'nothing_to_summarise') throw error;
        const summary = await instead(first.name, reasonOf(error), second).summarise(request);
        return { ...summary, ...spentBefore(error, summary.attempts) };
      }
    },
  };
}

function instead(from: string, reason: string, other: Summariser): Summariser {
  return {
    name: from,
    summarise: async (request) => ({ ...(await other.summarise(request)), fallback: { from, reason } }),
  };
}

/** What the refused answers cost. */
function spentBefore(error: unknown, attempts: number): Pick<Summary, 'attempts' | 'inputTokens' | 'outputTokens'> {
  const details = error instanceof EngineError ? (error.details ?? {}) : {};
  const { attempts: before, inputTokens, outputTokens } = details;
  return {
    attempts: attempts + (typeof before === 'number' ? before : 1),
    ...(typeof inputTokens === 'number' ? { inputTokens } : {}),
    ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
  };
}

function reasonOf(error: unknown): string {
  const rejected = error instanceof EngineError ? error.details?.['rejected'] : undefined;
  // The message of a refused answer begins with its fault already.
  if (error instanceof EngineError) return rejected === undefined ? `${error.code}: ${error.message}` : error.message;
  return `internal: ${error instanceof Error ? error.message : String(error)}`;
}

function aborted(error: unknown): EngineError {
  if (error instanceof EngineError && error.code === 'aborted') return error;
  return new EngineError('aborted', 'The caller gave the summary up before it was written.', { cause: error });
}

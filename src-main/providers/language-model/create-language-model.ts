import { join } from 'node:path';
import type { LanguageModelConfig } from '../../../src-shared/model/language-model-config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel } from '../../engine/ports/language-model.ts';
import type { Tokenizer } from '../../engine/ports/tokenizer.ts';
import { withCircuitBreaker } from './circuit-breaker.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';
import { createFileLedger } from './spend-ledger.ts';
import { withSpendGuard } from './spend-guard.ts';

export interface LanguageModelParts {
  readonly config: LanguageModelConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tokenizer: Tokenizer;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly dataDir: string;
  readonly onTrouble: (error: unknown) => void;
}

/** The model that the configuration names, or undefined when it names none. Nothing is connected to before it is asked. */
export function createLanguageModel(parts: LanguageModelParts): LanguageModel | undefined {
  const { config, tokenizer, now, dataDir, onTrouble } = parts;
  if (config.base_url === '') return undefined;
  const endpoint = createOpenAiCompatible({ ...config, apiKey: () => apiKeyOf(parts) });
  const ledger = createFileLedger(join(dataDir, 'model-usage.json'), onTrouble);
  const countTokens = (texts: readonly string[]): Promise<readonly number[]> => tokenizer.count(texts);
  const breaker = withCircuitBreaker(endpoint, now);
  return withSpendGuard(breaker, { dailyLimit: config.daily_token_limit, ledger, now, countTokens });
}

function apiKeyOf({ config, env }: LanguageModelParts): string {
  if (config.api_key_env === '') return config.api_key;
  const value = env[config.api_key_env]?.trim();
  if (value) return value;
  throw new EngineError(
    'model_refused',
    `The environment variable ${config.api_key_env}, which language_model.api_key_env names, is not set. Set it where Strata is started.`,
  );
}

import { join } from 'node:path';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EmbedderConfig } from '../../../src-shared/model/embedder-config.ts';
import type { Embedder } from '../../engine/ports/embedder.ts';
import { createBuiltinEmbedder } from './builtin-embedder.ts';
import { createOpenAiEmbedder } from './openai-embedder.ts';

export interface EmbedderParts {
  readonly config: EmbedderConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory that holds `resources`. */
  readonly root: string;
}

/** The embedder that the configuration names. Nothing is loaded or connected to before it is asked. */
export function createEmbedder({ config, env, root }: EmbedderParts): Embedder | undefined {
  switch (config.provider) {
    case 'none':
      return undefined;
    case 'builtin':
      return createBuiltinEmbedder(join(root, 'resources', 'embeddings', 'glove-100d.bin'));
    case 'openai-compatible':
      return createOpenAiEmbedder({ ...config, apiKey: () => apiKeyOf(config, env) });
  }
}

function apiKeyOf(config: EmbedderConfig, env: EmbedderParts['env']): string {
  if (config.api_key_env === '') return config.api_key;
  const value = env[config.api_key_env]?.trim();
  if (value) return value;
  throw new EngineError(
    'model_refused',
    `The environment variable ${config.api_key_env}, which embedder.api_key_env names, is not set. Set it where Strata is started.`,
  );
}

import { z } from 'zod';
import { endpointFields, oneKey, plainAddress } from './endpoint-config.ts';

/** The section `embedder` of `config.yaml`: what turns texts into vectors, for search by meaning beside search by words. */
export const embedderSchema = z
  .strictObject({
    provider: z
      .enum(['builtin', 'openai-compatible', 'none'])
      .default('builtin')
      .describe(
        'What makes vectors of texts: builtin (small, English, no network), openai-compatible (the endpoint below) or none',
      ),
    base_url: endpointFields.base_url.describe(
      'Endpoint of openai-compatible, such as http://127.0.0.1:11434/v1 of Ollama',
    ),
    model: endpointFields.model.describe('Name of the model for embeddings, as the endpoint knows it'),
    api_key: endpointFields.api_key,
    api_key_env: endpointFields.api_key_env,
    timeout_ms: z
      .int()
      .min(1)
      .default(30_000)
      .describe('Time in which the vectors of one batch are there, further tries included (ms)'),
    retries: z.int().min(0).max(10).default(1).describe('Further tries after no connection, 408, 409, 429 and 5xx'),
    batch_size: z.int().min(1).max(2_048).default(32).describe('Texts that are sent in one request'),
    max_characters: z
      .int()
      .min(100)
      .max(100_000)
      .default(6_000)
      .describe('Longer texts are cut (characters), so that they fit into the model'),
  })
  .refine(...oneKey)
  .refine(...plainAddress)
  .refine(({ provider, base_url, model }) => provider !== 'openai-compatible' || (base_url !== '' && model !== ''), {
    path: ['base_url'],
    error: 'expected base_url and model beside provider openai-compatible',
  });
export type EmbedderConfig = z.infer<typeof embedderSchema>;

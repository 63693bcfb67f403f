import { z } from 'zod';

/** The section `embedder` of `config.yaml`: what turns texts into vectors, for search by meaning beside search by words. */
export const embedderSchema = z
  .strictObject({
    provider: z
      .enum(['builtin', 'openai-compatible', 'none'])
      .default('builtin')
      .describe(
        'What makes vectors of texts: builtin (small, English, no network), openai-compatible (the endpoint below) or none',
      ),
    base_url: z
      .union([
        z.literal(''),
        z.url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' }),
      ])
      .default('')
      .describe('Endpoint of openai-compatible, such as http://127.0.0.1:11434/v1 of Ollama'),
    model: z.string().max(200).default('').describe('Name of the model for embeddings, as the endpoint knows it'),
    api_key: z.string().max(2_000).default('').describe('Key of the endpoint; better put it into api_key_env'),
    api_key_env: z
      .string()
      .regex(/^(?:[A-Za-z_][A-Za-z0-9_]*)?$/, 'expected the name of an environment variable')
      .default('')
      .describe('Name of the environment variable that holds the key'),
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
  .refine(({ api_key, api_key_env }) => api_key === '' || api_key_env === '', {
    path: ['api_key_env'],
    error: 'expected only one of api_key and api_key_env',
  })
  .refine(({ base_url }) => !/^[a-z]+:\/\/[^/?#]*@/i.test(base_url), {
    path: ['base_url'],
    error: 'expected an address without a name and password; put the key into api_key or api_key_env',
  })
  .refine(({ provider, base_url, model }) => provider !== 'openai-compatible' || (base_url !== '' && model !== ''), {
    path: ['base_url'],
    error: 'expected base_url and model beside provider openai-compatible',
  });
export type EmbedderConfig = z.infer<typeof embedderSchema>;

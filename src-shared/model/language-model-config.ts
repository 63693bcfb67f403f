import { z } from 'zod';

/** The section `language_model` of `config.yaml`: an endpoint that speaks the chat completions of OpenAI. */
export const languageModelSchema = z
  .strictObject({
    base_url: z
      .union([
        z.literal(''),
        z.url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' }),
      ])
      .default('')
      .describe('Endpoint of the model, such as http://127.0.0.1:11434/v1; nothing is connected to while it is empty'),
    model: z.string().max(200).default('').describe('Name of the model, as the endpoint knows it'),
    api_key: z.string().max(2_000).default('').describe('Key of the endpoint; better put it into api_key_env'),
    api_key_env: z
      .string()
      .regex(/^(?:[A-Za-z_][A-Za-z0-9_]*)?$/, 'expected the name of an environment variable')
      .default('')
      .describe('Name of the environment variable that holds the key'),
    timeout_ms: z
      .int()
      .min(1)
      .default(120_000)
      .describe('Time in which an answer is there, further tries included (ms)'),
    max_input_tokens: z
      .int()
      .min(2_000)
      .default(16_000)
      .describe('Tokens that a prompt may take; longer ranges are told in parts'),
    max_output_tokens: z
      .int()
      .min(256)
      .default(4_096)
      .describe('Tokens that an answer may take, the reasoning of the model included'),
    daily_token_limit: z
      .int()
      .min(0)
      .default(2_000_000)
      .describe('Tokens that all prompts and answers of one day (UTC) may take together; 0 sets no limit'),
    retries: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe('Further tries after no connection, 408, 409, 429 and 5xx, with growing pauses or as Retry-After says'),
  })
  .refine(({ api_key, api_key_env }) => api_key === '' || api_key_env === '', {
    path: ['api_key_env'],
    error: 'expected only one of api_key and api_key_env',
  })
  .refine(({ base_url }) => base_url === '' || !hasCredentials(base_url), {
    path: ['base_url'],
    error: 'expected an address without a name and password; put the key into api_key or api_key_env',
  })
  .refine(({ base_url, model }) => base_url === '' || model !== '', {
    path: ['model'],
    error: 'expected the name of a model beside base_url',
  });
export type LanguageModelConfig = z.infer<typeof languageModelSchema>;

function hasCredentials(address: string): boolean {
  return /^[a-z]+:\/\/[^/?#]*@/i.test(address);
}

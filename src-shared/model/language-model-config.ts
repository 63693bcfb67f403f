import { z } from 'zod';
import { endpointFields, oneKey, plainAddress } from './endpoint-config.ts';

/** The section `language_model` of `config.yaml`: an endpoint that speaks the chat completions of OpenAI. */
export const languageModelSchema = z
  .strictObject({
    base_url: endpointFields.base_url.describe(
      'Endpoint of the model, such as http://127.0.0.1:11434/v1; nothing is connected to while it is empty',
    ),
    model: endpointFields.model.describe('Name of the model, as the endpoint knows it'),
    api_key: endpointFields.api_key,
    api_key_env: endpointFields.api_key_env,
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
  .refine(...oneKey)
  .refine(...plainAddress)
  .refine(({ base_url, model }) => base_url === '' || model !== '', {
    path: ['model'],
    error: 'expected the name of a model beside base_url',
  });
export type LanguageModelConfig = z.infer<typeof languageModelSchema>;

import type { LanguageModelConfig } from '../../../src-shared/model/language-model-config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel, ModelReply, ModelRequest } from '../../engine/ports/language-model.ts';
import { modelFailure } from './model-failure.ts';
import { openAiClient } from './openai-client.ts';
import { readCompletion } from './read-completion.ts';

export type EndpointSettings = Pick<
  LanguageModelConfig,
  'base_url' | 'model' | 'timeout_ms' | 'max_input_tokens' | 'max_output_tokens' | 'retries'
> & {
  /** Asked for with every request, so that a missing variable is told where it matters. Empty when none is needed. */
  readonly apiKey: () => string;
};

/** How the endpoint calls the limit of an answer. OpenAI's newer models refuse the old name, others know only that. */
type LimitName = 'max_tokens' | 'max_completion_tokens';

/**
 * A model behind chat completions as OpenAI defined them: OpenAI itself, Ollama, llama-server, vLLM, DeepSeek and others.
 * Talks to the configured address only: redirects are failures, and the client's environment variables have no say.
 */
export function createOpenAiCompatible(settings: EndpointSettings): LanguageModel {
  const endpoint = new Endpoint(settings);
  return {
    maxInputTokens: settings.max_input_tokens,
    maxOutputTokens: settings.max_output_tokens,
    complete: (request) => endpoint.complete(request),
  };
}

class Endpoint {
  readonly #settings: EndpointSettings;
  #limitName: LimitName;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    const { hostname } = new URL(settings.base_url);
    this.#limitName = hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
  }

  async complete(request: ModelRequest): Promise<ModelReply> {
    const { timeout_ms, base_url } = this.#settings;
    const apiKey = this.#settings.apiKey();
    const timeout = AbortSignal.timeout(timeout_ms);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await this.#ask(request, apiKey, signal);
    } catch (error) {
      if (request.signal?.aborted) {
        throw new EngineError('aborted', 'The caller gave the answer up before it came.', { cause: error });
      }
      throw modelFailure(error, {
        address: base_url,
        timeoutMs: timeout_ms,
        secret: apiKey,
        isLate: timeout.aborted,
      });
    }
  }

  async #ask(request: ModelRequest, apiKey: string, signal: AbortSignal): Promise<ModelReply> {
    try {
      return await this.#send(request, apiKey, signal);
    } catch (error) {
      if (!refusesLimitName(error) || this.#limitName === 'max_completion_tokens') throw error;
      this.#limitName = 'max_completion_tokens';
      return this.#send(request, apiKey, signal);
    }
  }

  async #send(request: ModelRequest, apiKey: string, signal: AbortSignal): Promise<ModelReply> {
    const client = await openAiClient(this.#settings, apiKey);
    const messages = [
      { role: 'system' as const, content: request.system },
      { role: 'user' as const, content: request.prompt },
    ];
    const maxTokens = Math.min(request.maxOutputTokens, this.#settings.max_output_tokens);
    const completion: unknown = await client.chat.completions.create(
      { model: this.#settings.model, messages, stream: false, [this.#limitName]: maxTokens },
      { signal },
    );
    return readCompletion(completion, this.#settings.model);
  }
}

function refusesLimitName(error: unknown): boolean {
  return (
    error instanceof Error &&
    'status' in error &&
    error.status === 400 &&
    error.message.includes('max_completion_tokens')
  );
}

export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  /** Tokens that the answer may take, reasoning included. */
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelReply {
  readonly text: string;
  /** As the endpoint names it. */
  readonly model: string;
  /** `length`: the answer was cut off at `maxOutputTokens`. */
  readonly stopReason: 'stop' | 'length' | 'other';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** A language model that answers one prompt. */
export interface LanguageModel {
  /** Tokens that a prompt may take, its system text included. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /**
   * @throws EngineError `model_unavailable` (no connection, 5xx, or not asked after failures), `model_refused` (401, 403
   * and other requests that will never pass), `model_rate_limited`, `model_timeout`, `model_bad_answer` (something that
   * is no completion), `spend_limit`, `aborted`
   */
  complete(request: ModelRequest): Promise<ModelReply>;
}

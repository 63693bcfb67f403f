/** Turns texts into vectors of one length; equal texts give equal vectors. */
export interface Embedder {
  /** Names the model; stored with every vector, and vectors of another model are never compared. */
  readonly id: string;
  /** Numbers per vector. Undefined until the model answered once. */
  readonly dimension: number | undefined;
  /**
   * One unit-length vector per text, in order; undefined for a text of which the model knows nothing.
   * @throws EngineError `model_unavailable`, `model_refused`, `model_rate_limited`, `model_timeout`, `model_bad_answer`,
   * `embedder_mismatch` when the model answers with another dimension than before
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (Float32Array | undefined)[]>;
  close(): Promise<void>;
}

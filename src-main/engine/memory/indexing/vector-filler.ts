import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { MemoryIndexWriter, NewVector, PendingText } from '../../ports/memory-index-writer.ts';

/** Texts that are embedded at once. */
const batch = 64;
const firstWait = 5_000;
const longestWait = 5 * 60_000;

export interface FillerParts {
  readonly index: MemoryIndexWriter;
  readonly embedder: Embedder | undefined;
  readonly now: () => number;
  readonly log: (level: 'warn', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/**
 * Gives rows their vectors. An embedder that fails is asked again after a while; search by words goes on without it, and
 * the texts keep waiting in the index.
 */
export class VectorFiller {
  readonly #parts: FillerParts;
  #failures = 0;
  #notBefore = 0;
  #trouble: { readonly error: EngineError; readonly since: number } | undefined;

  constructor(parts: FillerParts) {
    this.#parts = parts;
  }

  /** Why there are no new vectors, and since when (ms since the epoch). */
  get trouble(): { readonly error: EngineError; readonly since: number } | undefined {
    return this.#trouble;
  }

  /** One batch; answers how many texts were dealt with. A failure of the embedder is noted, one of the index thrown. */
  async fill(signal?: AbortSignal): Promise<number> {
    const { index, embedder, now } = this.#parts;
    if (!embedder || now() < this.#notBefore) return 0;
    const texts = await index.pendingTexts(embedder.id, batch);
    if (texts.length === 0) return 0;
    const answered = await this.#embed(embedder, texts, signal);
    if (!answered) return 0;
    const vectors = answered;
    const dimension = embedder.dimension ?? vectors.find((vector) => vector !== undefined)?.length;
    // Nothing is known of any of them, and the model never said how long its vectors are: they are marked as asked.
    const rows = texts.map(({ rowId, textHash }, at): NewVector => ({ rowId, textHash, vector: vectors[at] }));
    await index.putVectors({ id: embedder.id, dimension: dimension ?? 0 }, rows);
    return texts.length;
  }

  async #embed(
    embedder: Embedder,
    texts: readonly PendingText[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (Float32Array | undefined)[] | undefined> {
    try {
      const vectors = await this.#embedApart(embedder, texts, signal);
      this.#failures = 0;
      this.#trouble = undefined;
      return vectors;
    } catch (error) {
      if (signal?.aborted) throw error;
      const said = error instanceof Error ? error.message : String(error);
      const failure =
        error instanceof EngineError ? error : new EngineError('model_unavailable', said, { cause: error });
      const wait = Math.min(longestWait, firstWait * 2 ** this.#failures);
      this.#failures += 1;
      this.#notBefore = this.#parts.now() + wait;
      this.#trouble = { error: failure, since: this.#trouble?.since ?? this.#parts.now() };
      return undefined;
    }
  }

  /**
   * A text that the model refuses (too long for it, mostly) would keep all others from it for ever: what is refused together
   * is asked for in halves, and a text that is refused by itself is left without a vector.
   */
  async #embedApart(
    embedder: Embedder,
    texts: readonly PendingText[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (Float32Array | undefined)[]> {
    try {
      return await embedder.embed(
        texts.map(({ text }) => text),
        signal,
      );
    } catch (error) {
      if (!isAboutTexts(error)) throw error;
      if (texts.length > 1) {
        const half = Math.ceil(texts.length / 2);
        const first = await this.#embedApart(embedder, texts.slice(0, half), signal);
        return [...first, ...(await this.#embedApart(embedder, texts.slice(half), signal))];
      }
      // Not before the model took another text: an endpoint that refuses everything is set up wrongly.
      if (embedder.dimension === undefined) throw error;
      this.#parts.log('warn', 'text_not_embedded', { row: texts[0]?.rowId ?? 0, error: error.message });
      return [undefined];
    }
  }
}

/** Statuses by which endpoints refuse what they were sent, rather than who sent it. */
function isAboutTexts(error: unknown): error is EngineError {
  if (!(error instanceof EngineError) || error.code !== 'model_refused') return false;
  const status = error.details?.['status'];
  return status === 400 || status === 413 || status === 422;
}

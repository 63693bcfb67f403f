import { z } from 'zod';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EmbedderConfig } from '../../../src-shared/model/embedder-config.ts';
import type { Embedder } from '../../engine/ports/embedder.ts';
import { modelFailure } from '../language-model/model-failure.ts';
import { openAiClient } from '../language-model/openai-client.ts';

export type EmbedderSettings = Pick<
  EmbedderConfig,
  'base_url' | 'model' | 'timeout_ms' | 'retries' | 'batch_size' | 'max_characters'
> & {
  /** Asked for with every request. Empty when none is needed. */
  readonly apiKey: () => string;
};

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1).max(16_384) })),
});

/**
 * A model behind OpenAI's `/embeddings`: OpenAI itself, Ollama, llama-server, vLLM and others. Texts are cut at
 * `max_characters`, and sent in batches one after the other.
 */
export function createOpenAiEmbedder(settings: EmbedderSettings): Embedder {
  const { host } = new URL(settings.base_url);
  const id = `${host}/${settings.model}`;
  let dimension: number | undefined;

  const ask = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const apiKey = settings.apiKey();
    const timeout = AbortSignal.timeout(settings.timeout_ms);
    try {
      const client = await openAiClient(settings, apiKey);
      const request = { model: settings.model, input: [...texts], encoding_format: 'float' as const };
      const ends = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const answer: unknown = await client.embeddings.create(request, { signal: ends });
      return readVectors(answer, texts.length, settings.base_url);
    } catch (error) {
      if (signal?.aborted) {
        throw new EngineError('aborted', 'The caller gave the vectors up before they came.', { cause: error });
      }
      const { base_url: address, timeout_ms: timeoutMs } = settings;
      throw modelFailure(error, { address, timeoutMs, secret: apiKey, isLate: timeout.aborted, section: 'embedder' });
    }
  };

  return {
    id,
    get dimension() {
      return dimension;
    },
    embed: async (texts, signal) => {
      const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
      // Endpoints refuse empty texts, and nothing can be said of them.
      const asked = texts.flatMap((text, at) => {
        const input = text.trim().slice(0, settings.max_characters).toWellFormed();
        return input === '' ? [] : [{ at, input }];
      });
      for (let start = 0; start < asked.length; start += settings.batch_size) {
        const part = asked.slice(start, start + settings.batch_size);
        const answered = await ask(
          part.map(({ input }) => input),
          signal,
        );
        for (const [row, vector] of answered.entries()) {
          if (dimension !== undefined && vector.length !== dimension)
            throw otherDimension(id, dimension, vector.length);
          dimension = vector.length;
          const at = part[row]?.at;
          if (at !== undefined) vectors[at] = toUnit(vector);
        }
      }
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}

/** In the order of the texts, whatever the order of the answer. */
function readVectors(answer: unknown, count: number, address: string): Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  const rows = parsed.data?.data ?? [];
  const byIndex = new Map(rows.map(({ index, embedding }) => [index, Float32Array.from(embedding)]));
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index));
  if (rows.length === count && vectors.every((vector) => vector !== undefined)) return vectors;
  throw new EngineError(
    'model_bad_answer',
    `Expected ${count} vectors from ${address}, got ${rows.length}. Check whether embedder.model is a model for embeddings.`,
  );
}

/** Undefined for a vector without length: it is near to nothing. */
function toUnit(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : undefined;
}

function otherDimension(id: string, expected: number, got: number): EngineError {
  return new EngineError(
    'embedder_mismatch',
    `${id} answered with ${got} numbers, before it had ${expected}: another model runs there now. Restart Strata to have all ` +
      'vectors made anew by it, or put the earlier model back.',
    { details: { embedder: id, expected, got } },
  );
}

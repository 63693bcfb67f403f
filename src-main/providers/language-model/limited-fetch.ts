import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** Bytes of an answer that are read, unpacked; the longest summaries with all their reasoning take a tenth of it. */
const mostBytes = 4 * 1_024 * 1_024;

/**
 * `fetch` whose answers end with an error once they exceed 4 MiB, packed or not; the connection is closed then.
 * Reading such a body throws EngineError `model_bad_answer`.
 */
export const limitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit()), { status, statusText, headers });
};

function limit() {
  let bytes = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes <= mostBytes) controller.enqueue(chunk);
      else throw tooLarge();
    },
  });
}

function tooLarge(): EngineError {
  return new EngineError(
    'model_bad_answer',
    `The endpoint's answer exceeds ${mostBytes} bytes and was not read to its end. Check language_model.base_url.`,
  );
}

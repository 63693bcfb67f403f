import { EngineError, type ErrorCode } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel } from '../../engine/ports/language-model.ts';

/** Failures in a row after which the endpoint is left alone, and for how long (ms). */
const failuresInARow = 3;
const pauseMs = 60_000;

/** What says that the next request will fail too; a bad answer says nothing of the kind. */
const counted: ReadonlySet<ErrorCode> = new Set([
  'model_unavailable',
  'model_refused',
  'model_rate_limited',
  'model_timeout',
]);

/**
 * Leaves an endpoint alone that failed several times in a row, so that nobody waits for it over and over; after the pause
 * one request is let through, and only its success opens the way for the others. A library would bring policies,
 * timers and events for the two numbers that are kept here, and its own clock.
 */
export function withCircuitBreaker(model: LanguageModel, now: () => number): LanguageModel {
  let failures = 0;
  let openUntil = 0;
  return {
    ...model,
    complete: async (request) => {
      const wait = openUntil - now();
      // A machine's clock may be set back; then the pause is over rather than endless.
      if (failures >= failuresInARow && wait > 0 && wait <= pauseMs) {
        const message = `The model failed ${failures} times in a row and is not asked for another ${Math.ceil(wait / 1_000)} s.`;
        throw new EngineError('model_unavailable', message, { details: { failures, wait_ms: wait } });
      }
      // Of several that wait for the end of the pause one goes first.
      if (failures >= failuresInARow) openUntil = now() + pauseMs;
      try {
        const reply = await model.complete(request);
        failures = 0;
        return reply;
      } catch (error) {
        if (error instanceof EngineError && counted.has(error.code)) {
          failures += 1;
          openUntil = now() + pauseMs;
        }
        throw error;
      }
    },
  };
}

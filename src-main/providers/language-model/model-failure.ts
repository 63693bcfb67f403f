import { withoutControls } from '../../engine/compact/plain-text.ts';
import { EngineError, type ErrorCode } from '../../../src-shared/model/engine-error.ts';

export interface AskedEndpoint {
  readonly address: string;
  readonly timeoutMs: number;
  /** Never told, whatever the endpoint quotes. */
  readonly secret: string;
  /** Whether the time for the answer is over. */
  readonly isLate: boolean;
  /** Of the configuration; default `language_model`. */
  readonly section?: string;
}

/** What went wrong with a request to an endpoint, as one of ours. Never holds the key or the prompt. */
export function modelFailure(error: unknown, asked: AskedEndpoint): EngineError {
  const { address, timeoutMs, secret, isLate, section = 'language_model' } = asked;
  const reason = secret === '' ? reasonOf(error) : reasonOf(error).replaceAll(secret, '…');
  if (error instanceof EngineError) return error;
  if (isLate || (error instanceof Error && error.name === 'APIConnectionTimeoutError')) {
    const message = `${address} did not answer within ${timeoutMs} ms; raise ${section}.timeout_ms or use a faster model.`;
    return new EngineError('model_timeout', message, { cause: error });
  }
  if (error instanceof SyntaxError) {
    const message = `${address} answered with something that is no JSON (${reason}). Check ${section}.base_url.`;
    return new EngineError('model_bad_answer', message, { cause: error });
  }
  const status = statusOf(error);
  if (status === undefined) {
    const message = `${address} cannot be reached (${reason}). Start it, or correct ${section}.base_url.`;
    return new EngineError('model_unavailable', message, { cause: error });
  }
  const [code, advice] = meaningOf(status, section);
  return new EngineError(code, `${address} answered ${status} (${reason}). ${advice}`, {
    details: { status },
    cause: error,
  });
}

function meaningOf(status: number, section: string): readonly [ErrorCode, string] {
  if (status === 401 || status === 403)
    return ['model_refused', `Correct ${section}.api_key or the variable that api_key_env names.`];
  if (status === 404) return ['model_refused', `Correct ${section}.base_url or ${section}.model.`];
  if (status === 429) return ['model_rate_limited', 'The limit of the endpoint is used up; it is asked again later.'];
  if (status >= 500 || status === 408 || status === 409)
    return ['model_unavailable', 'The fault is on its side; it is asked again later.'];
  if (status >= 300 && status < 400)
    return ['model_refused', `Redirects are not followed; put the address it leads to into ${section}.base_url.`];
  return ['model_refused', `It does not accept such requests; check the section ${section}.`];
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/** The innermost cause says most; endpoints may quote a part of what they were sent, so it is kept short. */
function reasonOf(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 5 && reason instanceof Error && reason.cause instanceof Error; depth += 1) {
    reason = reason.cause;
  }
  const message = reason instanceof Error ? reason.message : String(reason);
  return withoutControls(message.slice(0, 2_000)).replace(/\s+/g, ' ').slice(0, 160);
}

import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** @throws EngineError `aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError('aborted', 'The caller gave the summary up before it was written.');
}

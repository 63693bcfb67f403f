import type { ResultStubs } from '../../engine/ports/result-stubs.ts';
import { digestResult, shortenMessage } from './make-stub.ts';

/** On the calling thread, for scripts and tests. */
export function createInlineStubs(): ResultStubs {
  return {
    digest: (input) => Promise.resolve(digestResult(input)),
    ofMessage: (input) => Promise.resolve(shortenMessage(input)),
    close: () => Promise.resolve(),
  };
}

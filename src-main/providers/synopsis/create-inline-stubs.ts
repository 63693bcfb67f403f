import type { ResultStubs } from '../../engine/ports/result-stubs.ts';
import { makeStub } from './make-stub.ts';

/** On the calling thread, for scripts and tests. */
export function createInlineStubs(): ResultStubs {
  return {
    ofText: (input) => Promise.resolve(makeStub({ kind: 'text', input }).stub),
    ofMessage: (input) => Promise.resolve(makeStub({ kind: 'message', input }).copy),
    close: () => Promise.resolve(),
  };
}

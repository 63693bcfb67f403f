import { parentPort } from 'node:worker_threads';
import { makeStub, type StubMade, type StubTask } from './make-stub.ts';

export interface StubRequest {
  readonly id: number;
  readonly task: StubTask;
}

export type StubReply = { readonly id: number } & ({ readonly made: StubMade } | { readonly failure: string });

parentPort?.on('message', ({ id, task }: StubRequest) => parentPort?.postMessage(answer(id, task)));

/** A task that fails fails alone: the others that wait are answered. */
function answer(id: number, task: StubTask): StubReply {
  try {
    return { id, made: makeStub(task) };
  } catch (error) {
    return { id, failure: String(error).slice(0, 500) };
  }
}

import { parentPort } from 'node:worker_threads';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { CondenseInput, DigestInput, ResultDigest } from '../../engine/ports/result-stubs.ts';
import { digestResult, shortenMessage } from './make-stub.ts';

export type StubTask =
  | { readonly kind: 'digest'; readonly input: DigestInput }
  | { readonly kind: 'message'; readonly input: CondenseInput };

/** Which of them depends on the task. */
export interface StubMade {
  readonly digest?: ResultDigest;
  /** Undefined where the message stays as it is. */
  readonly copy?: HostMessage | undefined;
}

export interface StubRequest {
  readonly id: number;
  readonly task: StubTask;
}

export type StubReply = { readonly id: number } & ({ readonly made: StubMade } | { readonly failure: string });

parentPort?.on('message', ({ id, task }: StubRequest) => parentPort?.postMessage(answer(id, task)));

/** A task that fails fails alone: the others that wait are answered. */
function answer(id: number, task: StubTask): StubReply {
  try {
    const made = task.kind === 'digest' ? { digest: digestResult(task.input) } : { copy: shortenMessage(task.input) };
    return { id, made };
  } catch (error) {
    return { id, failure: String(error).slice(0, 500) };
  }
}

import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { resultStub, type StubInput } from '../../../src-shared/synopsis/result-stub.ts';
import type { CondenseInput } from '../../engine/ports/result-stubs.ts';
import { condenseMessage } from '../../engine/tool-results/condense-message.ts';

export type StubTask =
  { readonly kind: 'text'; readonly input: StubInput } | { readonly kind: 'message'; readonly input: CondenseInput };

/** Undefined where the result stays as it is. */
export interface StubMade {
  readonly stub?: string | undefined;
  readonly copy?: HostMessage | undefined;
}

/** The work itself, the same on every thread. */
export function makeStub(task: StubTask): StubMade {
  if (task.kind === 'text') return { stub: resultStub(task.input) };
  const { body, format, uri, limits } = task.input;
  // Bodies are written from messages.
  return { copy: condenseMessage(JSON.parse(body) as HostMessage, format, uri, limits) };
}

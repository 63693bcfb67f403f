import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { ResultLimits } from '../../../src-shared/synopsis/large-result.ts';
import type { StubInput } from '../../../src-shared/synopsis/result-stub.ts';

/** A stored message of a tool result, and what is to be known to shorten it. */
export interface CondenseInput {
  /** The message as JSON text. */
  readonly body: string;
  readonly format: MessageFormat;
  readonly uri: string;
  readonly limits: ResultLimits;
}

/**
 * Makes what stands for large tool results: `resultStub` and `condenseMessage`, of the same bytes, but without holding
 * up the caller's event loop for long texts.
 */
export interface ResultStubs {
  ofText(input: StubInput): Promise<string | undefined>;
  ofMessage(input: CondenseInput): Promise<HostMessage | undefined>;
  close(): Promise<void>;
}

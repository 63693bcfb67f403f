import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { ResultLimits } from '../../../src-shared/synopsis/large-result.ts';

/** A stored message of a tool result, and what is to be known to shorten it. */
export interface CondenseInput {
  /** The message as JSON text. */
  readonly body: string;
  readonly format: MessageFormat;
  readonly uri: string;
  readonly limits: ResultLimits;
}

/** What a tool answered, as its message has it. */
export interface DigestInput {
  readonly content: unknown;
  readonly toolName: string;
  readonly synopsisCharacters: number;
}

export interface ResultDigest {
  /** `resultBody` of the content, and its hex SHA-256. */
  readonly body: string;
  readonly contentHash: string;
  /** Of the text, by `estimateCharacters`. */
  readonly estimatedTokens: number;
  /** `resultStub` under the address of the content; undefined where it would not be shorter. */
  readonly stub: string | undefined;
}

/**
 * Makes what stands for large tool results: the same bytes wherever, but without holding
 * up the caller's event loop for long texts.
 */
export interface ResultStubs {
  digest(input: DigestInput): Promise<ResultDigest>;
  /** By `condenseMessage`. */
  ofMessage(input: CondenseInput): Promise<HostMessage | undefined>;
  close(): Promise<void>;
}

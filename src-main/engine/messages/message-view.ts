import type { TurnPart, TurnRole } from '../../../src-shared/model/turn-envelope.ts';

export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface ToolResultView {
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
}

/** A host message read once, in terms that do not depend on its format. */
export interface MessageView {
  readonly role: TurnRole;
  /** `host_summary`: the host's own summary of history that it no longer passes. */
  readonly kind: 'message' | 'host_summary';
  /** Milliseconds since the Unix epoch, where the host gave a usable one. */
  readonly timestamp: number | undefined;
  readonly parts: readonly TurnPart[];
  readonly toolCalls: readonly ToolCallView[];
  readonly toolResult: ToolResultView | undefined;
  /** Texts that reach the model, for counting: what is said, thinking, tool names and arguments, results. */
  readonly countable: readonly string[];
  readonly images: number;
  /** The host keeps it in the transcript and out of the context. */
  readonly excluded: boolean;
  /** Nothing in it that a provider would accept as content. */
  readonly blank: boolean;
  readonly model: string | undefined;
}

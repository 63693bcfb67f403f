import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';

export interface SourceTurn {
  readonly sequence: number;
  readonly role: TurnRole;
  /** What was said, or what a tool was asked and answered. */
  readonly text: string;
  readonly tool: string | undefined;
}

/** An earlier summary, as it is written. */
export interface PreviousSummary {
  readonly uri: string;
  readonly overview: string;
}

export interface SubagentState {
  readonly sessionKey: string;
  /** Such as `running`. */
  readonly state: string;
}

export interface SummaryRequest {
  /** Oldest first. May be empty where `previous` is not: then these summaries are folded into one. */
  readonly turns: readonly SourceTurn[];
  readonly policy: IdentifierPolicy;
  /** What the user asked to look out for (`/compact keep the ids`); empty when nothing. */
  readonly focus: string;
  /** Tokens that abstract and overview may take. */
  readonly abstractTokens: number;
  readonly overviewTokens: number;
  /** Summaries that the range follows on, or (when condensing) that are to be folded together; oldest first. */
  readonly previous?: readonly PreviousSummary[];
  /**
   * Whether `previous` is folded into the summary (condensing) instead of being what the range follows on. As good as
   * set where there are no turns.
   */
  readonly fold?: boolean;
  /** Sub-agents known to the engine; a summary must carry the session keys of those that run. */
  readonly subagents?: readonly SubagentState[];
  readonly signal?: AbortSignal;
}

export interface SummaryFallback {
  /** Name of the summariser that should have written it. */
  readonly from: string;
  /** A code, and after a colon what happened, for people. */
  readonly reason: string;
}

export interface Summary {
  readonly abstract: string;
  readonly overview: string;
  /** Identifiers of the source that stand in the overview word for word, the repaired ones included. */
  readonly identifiersKept: readonly string[];
  /** Those that the writer had left out and that were put back. */
  readonly identifiersRepaired: readonly string[];
  readonly identifiersLost: readonly string[];
  /** Sequences of source turns that nothing in the overview speaks of. */
  readonly uncovered: readonly number[];
  readonly summariser: string;
  readonly model?: string;
  readonly promptVersion?: string;
  /** Why another summariser than the configured one wrote it. */
  readonly fallback?: SummaryFallback;
  /** Answers that were asked for, refused ones included. */
  readonly attempts: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** Turns a range of the conversation, or several summaries, into one summary. */
export interface Summariser {
  readonly name: string;
  /**
   * @throws EngineError `nothing_to_summarise` without a source, `aborted` when the signal says so; a summariser that
   * asks a model also the codes of {@link LanguageModel}
   */
  summarise(request: SummaryRequest): Promise<Summary>;
}

import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';

export interface SourceTurn {
  readonly sequence: number;
  readonly role: TurnRole;
  /** What was said, or what a tool was asked and answered. */
  readonly text: string;
  readonly tool: string | undefined;
}

export interface SummaryRequest {
  readonly turns: readonly SourceTurn[];
  readonly policy: IdentifierPolicy;
  /** What the user asked to look out for (`/compact keep the ids`); empty when nothing. */
  readonly focus: string;
  /** Tokens that abstract and overview may take. */
  readonly abstractTokens: number;
  readonly overviewTokens: number;
}

export interface Summary {
  readonly abstract: string;
  readonly overview: string;
  readonly identifiersKept: readonly string[];
  readonly identifiersLost: readonly string[];
  readonly summariser: string;
  readonly model?: string;
  readonly promptVersion?: string;
}

/** Turns a range of the conversation into a summary. */
export interface Summariser {
  readonly name: string;
  summarise(request: SummaryRequest): Promise<Summary>;
}

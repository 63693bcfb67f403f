import type { CondensingRule } from '../compact/condense.ts';
import type { AssembleInput, Selection } from '../assemble/assemble-input.ts';

/** A range of turns to fold into a checkpoint, by a strategy's reckoning; `undefined` when there is nothing to do. */
export interface CompactPlanInput {
  /** Tokens that the context may take after the compaction. */
  readonly targetTokens: number;
  /** Tokens that the context may take at most, for turns that should stay even if the target is missed. */
  readonly limitTokens: number;
  readonly recentRawTurnCount: number;
  /** Uncovered turns, oldest first: their tokens, and whether the conversation may be cut before them. */
  readonly turns: readonly { readonly sequence: number; readonly tokens: number; readonly mayStart: boolean }[];
  /** A forced request shrinks even what fits. */
  readonly force: boolean;
}

/** How a strategy uses memory. */
export interface RecallRule {
  /** Factor on the configured share of the budget and its cap. */
  readonly room: number;
  /** Memory is asked about every message that says anything, also about small talk. */
  readonly everyTurn: boolean;
}

/**
 * A strategy of the context engine: what to send, and what to fold away. The log, the checkpoints and the validity of
 * what is sent (pairs, blank content) are not its business; they hold for every strategy.
 */
export interface ContextEngine {
  readonly name: string;
  /** Checkpoints are left aside, and the turns they cover are offered like any other. */
  readonly ignoresCheckpoints?: boolean;
  /** Newest turns that it keeps raw, where it wants another number than the configured one. */
  readonly recentRawTurnCount?: number;
  /**
   * When checkpoints are folded into one of a higher level, where it wants another rule than the configured one: so many
   * neighbours at once, the newest ones left apart.
   */
  readonly condensing?: CondensingRule;
  /** More raw turns than this ask for a compaction in the background, whatever the configured triggers say. */
  readonly rawTurnLimit?: number;
  /** What every summary of it looks out for, besides what the user asks. */
  readonly focus?: string;
  /** Memory is searched for its calls; absent: never. */
  readonly recall?: RecallRule;
  /** Decides about every candidate of the input at most once; what it leaves out of its answer is not sent. */
  assemble(input: AssembleInput): Selection | Promise<Selection>;
  /**
   * Newest sequence to archive: of one of the turns but the last, with a turn behind it that may start the rest.
   * Strategies that never compact leave this out.
   */
  planCompaction?(input: CompactPlanInput): number | undefined;
}

export type ContextEngineFactory = () => ContextEngine | Promise<ContextEngine>;

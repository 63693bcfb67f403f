import type { DecisionAction, DecisionReason, TraceSlot } from '../../../src-shared/model/trace.ts';
import type { Rejected, Unit } from './build-units.ts';
import type { Candidate } from './candidate.ts';
import type { RecalledCandidate } from './recall/recalled.ts';

/** What a strategy chooses from. All tokens are by our tokenizer; `budget` is already corrected for the model. */
export interface AssembleInput {
  /** Tokens for everything that is sent: the system prompt addition and all messages. */
  readonly budget: number;
  readonly recentRawTurnCount: number;
  readonly summaryBudgetShare: number;
  /** System messages and the system prompt addition; sent whatever happens. */
  readonly standing: readonly Candidate[];
  /** The host's own summaries of what it no longer passes, oldest first. */
  readonly hostSummaries: readonly Candidate[];
  /** Our checkpoints, newest first: the overview where it is the newest, else the abstract. */
  readonly summaries: readonly Candidate[];
  /** Tokens of the frame around summaries, spent once if any is included. */
  readonly summaryFrameTokens: number;
  /** What memory holds about the newest message, best first; empty where nothing was recalled. */
  readonly recalled: readonly RecalledCandidate[];
  /** Tokens of the messages around recalled memories, spent once if any is included. */
  readonly recalledFrameTokens: number;
  /** Tokens set apart for recalled memories, whether or not there are any: else the window's start would move with them. */
  readonly recallRoom: number;
  /** The conversation that no checkpoint covers, oldest first; the members of a unit are sent together or not at all. */
  readonly units: readonly Unit[];
  /** There are older turns than the first unit, too old to be looked at one by one. */
  readonly hasOlder: boolean;
  /** Index of the first unit from which on the conversation is known without a gap; before it single units are known. */
  readonly earliest: number;
  /** What nothing can send, with the reason. It goes on record; a strategy need not decide about it. */
  readonly unavailable: readonly Rejected[];
}

/** What a strategy decided about one candidate. */
export interface Choice {
  readonly candidate: Candidate;
  readonly action: DecisionAction;
  readonly reason: DecisionReason;
  /** Tokens that the candidate takes after the decision; for `trimmed` the limit it is cut to. */
  readonly tokensAfter: number;
  readonly scores?: Readonly<Record<string, number>>;
  readonly threshold?: number;
}

/** A strategy's whole answer: the choices in the order in which they were made, one for each candidate. */
export interface Selection {
  readonly choices: readonly Choice[];
  /** `allotted` and `rule` of each slot; what was asked, used and cut is counted from the choices in the end. */
  readonly slots: readonly TraceSlot[];
}

import type { DecisionReason } from '../../../../src-shared/model/trace.ts';
import type { RecallResult } from '../../../../src-shared/model/recall.ts';
import type { Candidate } from '../candidate.ts';

/** A memory that was found and is not sent, or a recall that came to nothing, with the reason. */
export interface RecallRejection {
  readonly candidate: Candidate;
  readonly reason: DecisionReason;
  readonly scores: Readonly<Record<string, number>>;
  readonly threshold?: number;
}

/** What recall has to offer a call. */
export interface Recalled {
  readonly query: string;
  /** When it was asked (ms since the epoch). */
  readonly at: number;
  /** Best first; with the text that is sent for each. */
  readonly packed: readonly { readonly candidate: RecalledCandidate; readonly block: string }[];
  readonly rejected: readonly RecallRejection[];
  /** Tokens of the messages around the blocks. */
  readonly frameTokens: number;
  /** The search's answer that it was read from; undefined where there was none. */
  readonly result?: RecallResult;
  /** Items that an earlier call of the turn was answered with, where others were kept out because of that. */
  readonly sent?: ReadonlySet<string>;
}

export interface RecalledCandidate extends Candidate {
  readonly scores: Readonly<Record<string, number>>;
  readonly threshold: number;
  readonly pinned: boolean;
}

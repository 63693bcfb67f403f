import type { CandidateSignal } from '../candidate.ts';

/** How a kind of statement is recognised. The pattern is held against one clause, with lead-ins taken off. */
export interface Rule {
  readonly id: string;
  readonly signal: CandidateSignal;
  /** Name of a kind of pages. */
  readonly kind: string;
  /** Anchored at both ends, flags `d` and `u` or none; `what` is what the statement is about. */
  readonly pattern: RegExp;
  /** Not where `what` matches this. */
  readonly unless?: RegExp;
  /** Of the profile: what the value belongs to. Of anything else: a topic in the place of the one in `what`. */
  readonly topic?: string;
  readonly title?: { readonly en: string; readonly zh: string };
  /** Only one statement of the topic holds at a time. */
  readonly exclusive?: boolean;
  /** The statement with `{what}` and other groups in it; else the clause itself, told of the user. */
  readonly says?: string;
  /** Group with what holds no longer. */
  readonly denies?: string;
  /** It takes something back and puts nothing in its place. */
  readonly retires?: boolean;
  /** Applies to clauses that say when. */
  readonly needsDate?: boolean;
  /** Also where the sentence tells what somebody said: the statement says who. */
  readonly reports?: boolean;
  /** Beside the date the weekday stays that was said. */
  readonly keepsWeekday?: boolean;
  /** Also where the sentence begins with a condition. */
  readonly conditional?: boolean;
}

import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';

/** What is known already that may have to do with a candidate. */
export interface Known {
  /** The page that the candidate belongs to; undefined: there is none yet. */
  readonly place: MemoryPage | undefined;
  /** Others of the same owner, the likeliest first. */
  readonly others: readonly MemoryPage[];
}

export interface Strike {
  readonly page: MemoryPage;
  /** As they stand in the page. */
  readonly lines: readonly string[];
}

export type JudgementCode =
  'new' | 'adds_to_topic' | 'contradicts' | 'known_already' | 'taken_back' | 'nothing_to_take_back' | 'several_match';

export interface Judgement {
  readonly action: 'ADD' | 'UPDATE' | 'DELETE' | 'NONE';
  readonly reason: { readonly code: JudgementCode; readonly message: string };
  /** For NONE: the page that makes it needless. */
  readonly page: MemoryPage | undefined;
  /** Statements that hold no longer. */
  readonly strikes: readonly Strike[];
  /** Nearest first. */
  readonly compared: readonly { readonly uri: string; readonly similarity: number }[];
}

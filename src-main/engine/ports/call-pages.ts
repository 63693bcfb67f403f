import type { DecisionAction, DecisionReason } from '../../../src-shared/model/trace.ts';
import type { Page, PageRequest } from './paging.ts';

/** A memory page as a call had it. */
export interface CallPage {
  readonly uri: string;
  /** Item of the trace that it is part of. */
  readonly item: string;
  readonly how: 'standing' | 'recalled';
  readonly action: DecisionAction;
  readonly reason: DecisionReason;
  /** Tokens that the item took, or would have taken where it was left out. */
  readonly tokens: number;
  /** Pages that the item is made of. */
  readonly sharedBy: number;
  readonly score?: number;
  readonly threshold?: number;
}

export interface CallPageUse extends CallPage {
  readonly callId: string;
  readonly sessionUid: string;
  readonly sessionId: string;
  readonly at: string;
}

export interface PageUses {
  readonly page: Page<CallPageUse>;
  readonly counts: ReadonlyMap<DecisionAction, number>;
  /** Tokens in the newest call that it was sent in. */
  readonly newestCost: number | undefined;
  /** Calls of before that were not looked through yet. */
  readonly pending: number;
}

/** Which calls had a page. */
export interface CallPages {
  /** Of a page by all its addresses, newest first. */
  pageUses(uris: readonly string[], page: PageRequest, action: DecisionAction | undefined): Promise<PageUses>;
  /** Looks through so many of the calls that were recorded before uses were; answers how many are left. */
  fillCallPages(limit: number): Promise<number>;
}

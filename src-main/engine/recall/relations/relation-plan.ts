import type { PageSort } from '../../memory/links/page-sort.ts';
import type { IndexHit } from '../../ports/memory-index.ts';

/** A page that the query names. */
export interface RelationAnchor {
  /** As it stands in the query. */
  readonly name: string;
  readonly page: IndexHit;
}

/** One hop: which relation is followed, from the pages before it. */
export interface RelationStep {
  /** Relation types, any of which will do. Undefined: any link. */
  readonly types: readonly string[] | undefined;
  /** `out`: the pages before are the subject (what X founded); `in`: they are the object (who founded X). */
  readonly direction: 'out' | 'in' | 'both';
}

/** What is said of one anchor; pages that several branches lead to come first. */
export interface RelationBranch {
  readonly anchor: RelationAnchor;
  readonly steps: readonly RelationStep[];
}

/**
 * A query that names pages. `follow`: from the anchors along the steps of their branches. `connect`: what lies between the
 * anchors. `near`: no relation was recognised; pages around those named are good candidates, at a lower score.
 */
export interface RelationPlan {
  readonly shape: 'follow' | 'connect' | 'near';
  readonly anchors: readonly RelationAnchor[];
  readonly branches: readonly RelationBranch[];
  /** All types that are asked for, and the most hops of a branch; as `RecallResult.relation` shows them. */
  readonly types: readonly string[];
  readonly hops: number;
  /** What sorts of page are asked for, as far as question words say it; empty: any. */
  readonly wanted: readonly PageSort[];
}

/** A page reached through links. */
export interface RelationAnswer {
  readonly uri: string;
  /**
   * 0 to 1: 1 is a link of the type and in the direction that was asked for to a page of the sort that was asked for. Below
   * 0.5: no more than a neighbour.
   */
  readonly score: number;
  /** The links that lead to it, from the anchor on; for `explain` and the inspector. */
  readonly path: readonly { readonly from: string; readonly to: string; readonly type: string }[];
}

import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { RecallResult, RecallSource } from '../../../src-shared/model/recall.ts';

export interface RecallRequest {
  readonly query: string;
  /** Earlier user turns, oldest first: they give the query its context at a lower weight. */
  readonly earlier: readonly string[];
  readonly scope: MemoryScope;
  readonly sources: readonly RecallSource[];
  readonly kinds?: readonly string[] | undefined;
  readonly limit: number;
  /** Tokens that the packed texts may take together, and each of them. */
  readonly maxTokens: number;
  readonly itemTokens: number;
  readonly minScore: number;
  readonly includeInactive: boolean;
  /** Turns of the session that the model sees anyway: they are candidates that are dropped as `already_in_context`. */
  readonly inContext?: { readonly sessionUid: string; readonly fromSequence: number } | undefined;
  /** Kinds that are left out, as if there were none of them. */
  readonly exceptKinds?: readonly string[] | undefined;
  /** Turns and summaries of these sessions up to a sequence are left out, as if they were not there: what a reset ended. */
  readonly hidden?: readonly { readonly sessionUid: string; readonly throughSequence: number }[] | undefined;
  /** Ends the search; what was found until then is answered. */
  readonly signal?: AbortSignal | undefined;
}

/** Search of memory with judgement: intent, fusion, levels, links, hotness, packing, and abstention. */
export interface Recall {
  recall(request: RecallRequest): Promise<RecallResult>;
}

import type { RecallResult } from '../../../src-shared/model/recall.ts';
import type { RecallRequest } from '../ports/recall.ts';

const mostKept = 200;

/**
 * Answers to questions that were asked before, as long as the index is the same. Uses are no part of it: that something
 * was packed again may change the order of equals a moment later than it could.
 */
export class QueryCache {
  readonly #answers = new Map<string, RecallResult>();
  #generation: number | undefined;

  find(key: string, generation: number): RecallResult | undefined {
    if (this.#generation !== generation) this.#answers.clear();
    this.#generation = generation;
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return { ...answer, from_cache: true };
  }

  /** Kept only if nothing was written since the question was looked up. */
  keep(key: string, generation: number, answer: RecallResult): void {
    if (this.#generation !== generation) return;
    this.#answers.set(key, answer);
    // A Map keeps insertion order: the first key was used longest ago.
    const oldest = this.#answers.size > mostKept ? this.#answers.keys().next().value : undefined;
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}

/** Equal for requests that mean the same; `day` because "last week" means another one tomorrow. */
export function cacheKey(request: RecallRequest, now: number, embedderId: string | undefined): string {
  const { signal: _, query, earlier, scope, sources, kinds, exceptKinds, ...rest } = request;
  const sorted = (list: readonly string[] | undefined): readonly string[] | null => (list ? [...list].sort() : null);
  return JSON.stringify([
    query.normalize('NFKC').replace(/\s+/gu, ' ').trim(),
    earlier,
    [
      scope.accountId,
      scope.userId,
      scope.agentId,
      scope.sessionUid ?? null,
      scope.otherSessions,
      scope.access,
      sorted(scope.labels),
    ],
    sorted(sources),
    sorted(kinds),
    sorted(exceptKinds),
    [
      rest.limit,
      rest.maxTokens,
      rest.itemTokens,
      rest.minScore,
      rest.includeInactive,
      rest.inContext ?? null,
      rest.hidden ?? null,
    ],
    Math.floor(now / 86_400_000),
    embedderId ?? null,
  ]);
}

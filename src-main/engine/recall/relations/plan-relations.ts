import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { MemoryIndex } from '../../ports/memory-index.ts';
import type { RelationPlan } from './relation-plan.ts';

/** What of a query names pages, and which relation of them is asked for; undefined when it names none. */
export async function planRelations(
  query: string,
  index: MemoryIndex,
  scope: MemoryScope,
): Promise<RelationPlan | undefined> {
  await index.resolveNames([query], scope);
  return undefined;
}

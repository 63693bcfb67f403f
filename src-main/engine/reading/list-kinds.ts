import type { Kind } from '../../../src-shared/protocol/kinds.ts';
import type { MemoryKinds } from '../memory/kinds/memory-kinds.ts';
import type { PageStore } from '../ports/page-store.ts';

const countOnly = { cursor: undefined, limit: 1 };

/** The kinds of memory as they are declared, in their fixed order, with the number of their pages. */
export async function listKinds(kinds: MemoryKinds, pages: Pick<PageStore, 'list'>): Promise<Kind[]> {
  return Promise.all(
    kinds.all.map(async ({ name, description, owner, folder, single, policy, visibility, fields }) => ({
      ...{ name, description, owner, folder, policy, visibility },
      ...(single === undefined ? {} : { single }),
      fields: Object.entries(fields).map(([field, { type, description: meaning, required, link }]) => ({
        ...{ name: field, type, description: meaning, required },
        ...(link === undefined ? {} : { link }),
      })),
      pages: (await pages.list(countOnly, { kind: name })).total,
    })),
  );
}

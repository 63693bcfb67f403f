import type { PageHead } from '../../src-shared/model/memory-page.ts';

export interface KindFigures {
  readonly kind: string;
  readonly active: number;
  readonly superseded: number;
  readonly retired: number;
}

export interface MemoryFigures {
  readonly kinds: readonly KindFigures[];
  readonly problems: readonly PageHead[];
  readonly pinned: readonly PageHead[];
  /** Newest first. */
  readonly recent: readonly PageHead[];
}

const mostRecent = 12;

/** What stands in the workspace, in numbers, and what of it wants a look. Files that cannot be read count apart. */
export function memoryFigures(pages: readonly PageHead[]): MemoryFigures {
  const kinds = new Map<string, { active: number; superseded: number; retired: number }>();
  const readable = pages.filter((page) => page.problem === undefined);
  for (const { kind, status } of readable) {
    const figures = kinds.get(kind) ?? { active: 0, superseded: 0, retired: 0 };
    figures[status] += 1;
    kinds.set(kind, figures);
  }
  return {
    kinds: Array.from(kinds, ([kind, figures]) => ({ kind, ...figures })).sort((one, other) =>
      one.kind < other.kind ? -1 : 1,
    ),
    problems: pages.filter((page) => page.problem !== undefined),
    pinned: readable.filter((page) => page.pinned && page.status === 'active'),
    recent: newest(readable),
  };
}

/** The newest few, each date read once: sorting 20,000 pages for a dozen would be felt. */
function newest(pages: readonly PageHead[]): readonly PageHead[] {
  const dated = pages.map((page) => ({ page, at: Date.parse(page.updated_at) }));
  const isBefore = (one: { page: PageHead; at: number }, other: { page: PageHead; at: number }) =>
    other.at - one.at || (one.page.uri < other.page.uri ? -1 : 1);
  let found: typeof dated = [];
  for (const one of dated) {
    const last = found[mostRecent - 1];
    if (last !== undefined && isBefore(one, last) > 0) continue;
    found = [...found, one].sort(isBefore).slice(0, mostRecent);
  }
  return found.map(({ page }) => page);
}

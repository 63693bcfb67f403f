import type { CompactCheckpoint } from '../../src-shared/model/checkpoint.ts';

export type IdentifierFate = 'lost' | 'repaired' | 'kept';

export interface IdentifierRow {
  readonly name: string;
  readonly fate: IdentifierFate;
}

type Identifiers = Pick<CompactCheckpoint, 'identifiers_kept' | 'identifiers_repaired' | 'identifiers_lost'>;

/** Every identifier of the source once: what was lost first, then what was put back, then what the writer kept. */
export function identifierRows(checkpoint: Identifiers): readonly IdentifierRow[] {
  const repaired = new Set(checkpoint.identifiers_repaired);
  const lost = new Set(checkpoint.identifiers_lost);
  const kept = new Set(checkpoint.identifiers_kept.filter((name) => !repaired.has(name) && !lost.has(name)));
  return [
    ...[...lost].map((name) => ({ name, fate: 'lost' }) as const),
    ...[...repaired].map((name) => ({ name, fate: 'repaired' }) as const),
    ...[...kept].map((name) => ({ name, fate: 'kept' }) as const),
  ];
}

export function countFates(rows: readonly IdentifierRow[]): Readonly<Record<IdentifierFate, number>> {
  const counts = { lost: 0, repaired: 0, kept: 0 };
  for (const { fate } of rows) counts[fate] += 1;
  return counts;
}

/** Every word of the filter is in the name, whatever its case. */
export function matchesIdentifier(row: IdentifierRow, filter: string): boolean {
  const name = row.name.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}

export function fateWord(fate: IdentifierFate): string {
  switch (fate) {
    case 'lost':
      return 'Lost';
    case 'repaired':
      return 'Repaired';
    case 'kept':
      return 'Kept';
  }
}

export function fateMeaning(fate: IdentifierFate): string {
  switch (fate) {
    case 'lost':
      return 'In the turns and not in the summary: the model can only find it by looking into the turns';
    case 'repaired':
      return 'The writer had left it out; it was put back, word for word';
    case 'kept':
      return 'In the summary, word for word';
  }
}

/** Which identifiers one summary has and the other has not. */
export function identifierChange(
  before: Identifiers & Pick<CompactCheckpoint, 'overview'>,
  after: Identifiers & Pick<CompactCheckpoint, 'overview'>,
): { readonly gained: readonly string[]; readonly lost: readonly string[] } {
  const had = new Set(before.identifiers_kept);
  const has = new Set(after.identifiers_kept);
  return {
    // The lists depend on the policy; what counts is whether the text has it.
    gained: [...has].filter((name) => !had.has(name) && !before.overview.includes(name)),
    lost: [...had].filter((name) => !has.has(name) && !after.overview.includes(name)),
  };
}

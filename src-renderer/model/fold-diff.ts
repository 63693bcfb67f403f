import type { DiffLine } from './diff-lines.ts';

/** A line of a comparison, or how many equal ones are left out between two changes. */
export type FoldedLine = DiffLine | { readonly kind: 'folded'; readonly count: number };

/** Keeps `context` equal lines around each change, and says how many others there are. */
export function foldDiff(lines: readonly DiffLine[], context = 3): readonly FoldedLine[] {
  const folded: FoldedLine[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined) break;
    if (line.kind !== 'same') {
      folded.push(line);
      index += 1;
      continue;
    }
    let end = index;
    while (lines[end]?.kind === 'same') end += 1;
    const run = lines.slice(index, end);
    const head = index === 0 ? 0 : context;
    const tail = end === lines.length ? 0 : context;
    // Folding one line would take as much room as showing it.
    if (run.length <= head + tail + 1) folded.push(...run);
    else {
      folded.push(...run.slice(0, head), { kind: 'folded', count: run.length - head - tail });
      folded.push(...run.slice(run.length - tail));
    }
    index = end;
  }
  return folded;
}

/** How many lines went and came. */
export function countChanges(lines: readonly DiffLine[]): { readonly removed: number; readonly added: number } {
  let [removed, added] = [0, 0];
  for (const { kind } of lines) {
    if (kind === 'removed') removed += 1;
    if (kind === 'added') added += 1;
  }
  return { removed, added };
}

import type { SourceTurn } from './summariser.ts';

/** Identifiers by how many turns mention them, the later mentioned first among equals. */
export function rankIdentifiers(identifiers: readonly string[], turns: readonly SourceTurn[]): readonly string[] {
  const rank = new Map(identifiers.map((identifier) => [identifier, { mentions: 0, last: 0 }]));
  for (const turn of turns) {
    for (const [identifier, seen] of rank) {
      if (!turn.text.includes(identifier)) continue;
      seen.mentions += 1;
      seen.last = turn.sequence;
    }
  }
  return [...rank]
    .sort((a, b) => b[1].mentions - a[1].mentions || b[1].last - a[1].last || (a[0] < b[0] ? -1 : 1))
    .map(([identifier]) => identifier);
}

import type { IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import { findIdentifiers } from './find-identifiers.ts';
import type { IdentifierKind } from './identifier-kinds.ts';
import { Pacer } from './pacer.ts';
import type { SourceTurn } from './summariser.ts';

export interface MentionedIdentifier {
  readonly text: string;
  readonly kind: IdentifierKind;
  /** Turns that mention it, and the sequence of the last of them. */
  readonly mentions: number;
  readonly last: number;
}

/** The identifiers of a range in order of their first mention. */
export async function mentionedIdentifiers(
  turns: readonly SourceTurn[],
  policy: IdentifierPolicy,
): Promise<readonly MentionedIdentifier[]> {
  const pacer = new Pacer();
  const mentioned = new Map<string, { kind: IdentifierKind; mentions: number; last: number }>();
  for (const turn of turns) {
    for (const { text, kind } of findIdentifiers(turn.text, policy)) {
      const known = mentioned.get(text);
      if (known) {
        known.mentions += 1;
        known.last = turn.sequence;
      } else mentioned.set(text, { kind, mentions: 1, last: turn.sequence });
    }
    if (pacer.isDue()) await pacer.pause();
  }
  return [...mentioned].map(([text, seen]) => ({ text, ...seen }));
}

/** The ones of the wanted kinds first, then those that most turns mention, the later mentioned first among equals. */
export function rankIdentifiers(
  identifiers: readonly MentionedIdentifier[],
  wanted: ReadonlySet<IdentifierKind>,
): readonly MentionedIdentifier[] {
  return [...identifiers].sort(
    (a, b) =>
      Number(wanted.has(b.kind)) - Number(wanted.has(a.kind)) ||
      b.mentions - a.mentions ||
      b.last - a.last ||
      (a.text < b.text ? -1 : 1),
  );
}

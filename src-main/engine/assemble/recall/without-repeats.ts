import type { Selection } from '../assemble-input.ts';
import type { Recalled, RecalledCandidate } from './recalled.ts';

/** What the model sees anyway must not be recalled. */
export interface SeenAnyway {
  /** URIs of the turns and summaries that are sent. */
  readonly uris: ReadonlySet<string>;
  /** The host has started over: what the log has of this session is none of its conversation. */
  readonly hidesSession: string | undefined;
}

export function seenIn(selection: Selection): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { action, candidate } of selection.choices) {
    if (action === 'dropped' || candidate.kind === 'recalled_memory') continue;
    if (candidate.uri !== undefined) uris.add(candidate.uri);
    // MEMORY.md names pages, and repeats none of them.
    for (const uri of candidate.repeats ?? []) uris.add(uri);
  }
  return uris;
}

/** @returns the same object where there is nothing to take out */
export function withoutRepeats(recalled: Recalled, seen: SeenAnyway): Recalled {
  const reasonFor = ({ uri = '' }: RecalledCandidate) => {
    if (seen.uris.has(uri)) return 'recall_in_context';
    return seen.hidesSession !== undefined && uri.startsWith(`${seen.hidesSession}/`) ? 'before_reset' : undefined;
  };
  if (!recalled.packed.some(({ candidate }) => reasonFor(candidate))) return recalled;
  return {
    ...recalled,
    packed: recalled.packed.filter(({ candidate }) => !reasonFor(candidate)),
    rejected: [
      ...recalled.packed.flatMap(({ candidate }) => {
        const reason = reasonFor(candidate);
        return reason ? [{ candidate, reason, scores: candidate.scores } as const] : [];
      }),
      ...recalled.rejected,
    ],
  };
}

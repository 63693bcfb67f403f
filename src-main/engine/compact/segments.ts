import type { TurnMeta } from '../ports/session-store.ts';
import type { Cuts } from './find-cuts.ts';

/** Turns of one checkpoint at most: a summary of more says too little of each. */
const longestSegment = 2_000;

/** Turns behind the intended end of a segment among which a place to cut is looked for first. */
const looked = 200;

/**
 * Cuts a range into pieces of about the same size, none much larger than `segmentTokens`, each of which becomes a
 * checkpoint of its own. Cuts stand before user turns where there is one nearby, and never between a call and its result.
 */
export function segmentsOf(
  turns: readonly TurnMeta[],
  cuts: Cuts,
  segmentTokens: number,
): readonly (readonly TurnMeta[])[] {
  const total = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const count = Math.max(1, Math.ceil(total / segmentTokens), Math.ceil(turns.length / longestSegment));
  const limit = { tokens: total / count, turns: turns.length / count };
  const segments: (readonly TurnMeta[])[] = [];
  let start = 0;
  while (start < turns.length) {
    const end = endOfSegment(turns, cuts, start, limit);
    segments.push(turns.slice(start, end));
    start = end;
  }
  return segments;
}

/** Index behind the last turn of the segment that begins at `start`. */
function endOfSegment(
  turns: readonly TurnMeta[],
  { atUser, anywhere }: Cuts,
  start: number,
  limit: { readonly tokens: number; readonly turns: number },
): number {
  // One turn at least, also where turns take no tokens at all.
  let wanted = start + 1;
  for (
    let tokens = turns[start]?.tokens ?? 0;
    wanted < turns.length && tokens < limit.tokens && wanted - start < limit.turns;
    wanted += 1
  ) {
    tokens += turns[wanted]?.tokens ?? 0;
  }
  if (wanted >= turns.length) return turns.length;
  const before = anywhere.lastIndexOf(true, wanted);
  const behind = [atUser, anywhere].map((cuts) => cuts.indexOf(true, wanted));
  const near = behind.find((index) => index >= 0 && index < wanted + looked);
  // A pair that stands further apart than the segment is long stays in one piece.
  const cut = near ?? (before > start ? before : (behind[1] ?? -1));
  return cut < 0 || cut > turns.length ? turns.length : cut;
}

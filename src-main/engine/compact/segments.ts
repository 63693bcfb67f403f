import type { TurnMeta } from '../ports/session-store.ts';
import { cutsOf } from './plan-compaction.ts';

/** Turns of one checkpoint at most: a summary of more says too little of each. */
const longestSegment = 2_000;

/** Turns behind the intended end of a segment among which a place to cut is looked for. */
const looked = 200;

/**
 * Cuts a range into pieces of about the same size, none much larger than `segmentTokens`, each of which becomes a
 * checkpoint of its own. Cuts stand before user turns where there is one nearby, and never between a call and its result.
 */
export function segmentsOf(turns: readonly TurnMeta[], segmentTokens: number): readonly (readonly TurnMeta[])[] {
  const total = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const count = Math.max(1, Math.ceil(total / segmentTokens), Math.ceil(turns.length / longestSegment));
  const limit = { tokens: total / count, turns: turns.length / count };
  const segments: (readonly TurnMeta[])[] = [];
  let start = 0;
  while (start < turns.length) {
    const end = endOfSegment(turns, start, limit);
    segments.push(turns.slice(start, end));
    start = end;
  }
  return segments;
}

/** Index behind the last turn of the segment that begins at `start`. */
function endOfSegment(turns: readonly TurnMeta[], start: number, limit: { tokens: number; turns: number }): number {
  let wanted = start;
  for (let tokens = 0; wanted < turns.length && tokens < limit.tokens && wanted - start < limit.turns; wanted += 1) {
    tokens += turns[wanted]?.tokens ?? 0;
  }
  if (wanted >= turns.length) return turns.length;
  // Pairs are looked for in the piece alone: results stand right behind their calls.
  const piece = turns.slice(start, wanted + looked);
  const { atUser, anywhere } = cutsOf(piece);
  const behind = (cuts: readonly boolean[]): number =>
    cuts.findIndex((mayCut, index) => mayCut && index >= wanted - start);
  const before = (cuts: readonly boolean[]): number => cuts.findLastIndex((mayCut, index) => mayCut && index > 0);
  const cut = [behind(atUser), behind(anywhere), before(anywhere)].find((index) => index > 0);
  return cut === undefined ? Math.min(turns.length, wanted + looked) : start + cut;
}

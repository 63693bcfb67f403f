import type { CompactPlanInput } from '../strategies/context-engine.ts';

/**
 * Archives from the oldest turn on, up to the last place where the rest still holds the newest turns and takes no more
 * than the target. A forced request that finds everything within the target archives all but the newest turns; when
 * those alone exceed the target, or when nothing else is left, the cut moves on to the newest user turn.
 */
export function planByTarget(input: CompactPlanInput): number | undefined {
  const { turns, targetTokens, recentRawTurnCount, force } = input;
  const total = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  if (total <= targetTokens && !force) return undefined;
  const cuts = turns.flatMap((turn, index) => (index > 0 && turn.mayStart ? [index] : []));
  const beforeRecent = cuts.filter((index) => turns.length - index >= recentRawTurnCount);
  const rest = restTokens(turns);
  const fits = (index: number) => (rest[index] ?? 0) <= targetTokens;
  // The earliest cut that suffices keeps the most; forced with room to spare, the latest that keeps the newest turns.
  const enough = total <= targetTokens ? beforeRecent.at(-1) : beforeRecent.find(fits);
  const cut = enough ?? cuts.find(fits) ?? cuts.at(-1);
  return cut === undefined ? undefined : turns[cut - 1]?.sequence;
}

/** Tokens from each index to the end. */
function restTokens(turns: CompactPlanInput['turns']): number[] {
  const rest = new Array<number>(turns.length).fill(0);
  let sum = 0;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    sum += turns[index]?.tokens ?? 0;
    rest[index] = sum;
  }
  return rest;
}

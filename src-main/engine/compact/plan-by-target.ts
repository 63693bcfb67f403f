import type { CompactPlanInput } from '../strategies/context-engine.ts';

/**
 * Archives from the oldest turn on, up to the first place where the rest takes no more than the target and still holds
 * the newest turns. Where that cannot be, keeping the newest turns comes before the target as long as they fit the
 * limit at all. A forced request that finds everything within the target archives all but the newest turns, or, when
 * there are no more than those, all before the newest cut.
 */
export function planByTarget(input: CompactPlanInput): number | undefined {
  const { turns, targetTokens, limitTokens, recentRawTurnCount, force } = input;
  const rest = restTokens(turns);
  const total = rest[0] ?? 0;
  if (total <= targetTokens && !force) return undefined;
  const cuts = turns.flatMap((turn, index) => (index > 0 && turn.mayStart ? [index] : []));
  const withNewest = cuts.filter((index) => turns.length - index >= recentRawTurnCount);
  const within = (limit: number) => (index: number) => (rest[index] ?? 0) <= limit;
  const keepsNewest = withNewest.at(-1);
  if (total <= targetTokens) return turns[(keepsNewest ?? cuts.at(-1) ?? 0) - 1]?.sequence;
  const best = withNewest.find(within(targetTokens));
  const tolerable = keepsNewest !== undefined && within(limitTokens)(keepsNewest) ? keepsNewest : undefined;
  const cut = best ?? tolerable ?? cuts.find(within(targetTokens)) ?? cuts.at(-1);
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

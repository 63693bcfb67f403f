import type { Scored } from './scored-row.ts';

const day = 86_400_000;
/** Days after which a use counts half. */
const halfLife = 30;

/**
 * A little for what was used often and lately: at most `most`, so that two candidates of which one matches clearly better
 * keep their order. Half of it by use, saturated at about ten uses; half by age of the last use or change.
 */
export function addHotness(
  candidate: Scored,
  use: { readonly count: number; readonly last: number } | undefined,
  now: number,
  most: number,
): Scored {
  if (candidate.score <= 0) return candidate;
  const used = use ? 1 - 1 / (1 + use.count / 3) : 0;
  const age = Math.max(0, now - Math.max(use?.last ?? 0, candidate.hit.at)) / day;
  const hotness = Math.min(1 - candidate.score, (most / 2) * used + (most / 2) * 0.5 ** (age / halfLife));
  if (hotness <= 0) return candidate;
  return { ...candidate, score: candidate.score + hotness, parts: { ...candidate.parts, hotness } };
}

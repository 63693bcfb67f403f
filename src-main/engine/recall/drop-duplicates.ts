import type { Scored } from './scored-row.ts';

/** Texts whose words overlap so far say the same (share of all words of both). */
const sameShare = 0.85;
/** Candidates that are compared with each other; those behind them are not packed anyway. */
const compared = 80;

/**
 * Finds candidates that say what a better one says; an overlap of words, since not every row has a vector.
 * @param candidates best first
 * @returns by URI: the URI of the better one
 */
export function findDuplicates(candidates: readonly Scored[]): ReadonlyMap<string, string> {
  const duplicates = new Map<string, string>();
  const kept: { readonly uri: string; readonly words: ReadonlySet<string> }[] = [];
  for (const { hit, words } of candidates.slice(0, compared)) {
    const own = new Set(words);
    const same = own.size === 0 ? undefined : kept.find((other) => overlap(own, other.words) >= sameShare);
    if (same) duplicates.set(hit.uri, same.uri);
    else kept.push({ uri: hit.uri, words: own });
  }
  return duplicates;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  // Too different in length to reach the share, whatever they have in common.
  if (few.size < many.size * sameShare) return 0;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}

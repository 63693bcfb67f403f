import type { Candidate } from '../extract/candidate.ts';
import type { MemoryKinds } from './memory-kinds.ts';

/** Kinds that the rules give by themselves; only those that somebody added are told by their hints. */
const knownToRules: ReadonlySet<string> = new Set([
  ...['profile', 'preference', 'entity', 'event', 'case', 'pattern', 'skill'],
]);

/**
 * What somebody asked to be kept in words that no rule knows, as of the kind whose hint is in these words: the longest
 * hint, of equal ones the first kind.
 */
export function withKindByHint(candidate: Candidate, kinds: MemoryKinds): Candidate {
  if (candidate.rule !== `${candidate.language}.request`) return candidate;
  const text = candidate.text.toLowerCase();
  let best: { readonly kind: string; readonly length: number } | undefined;
  for (const { name, hints } of kinds.all) {
    if (knownToRules.has(name)) continue;
    for (const hint of hints[candidate.language]) {
      const isLonger = hint.length > (best?.length ?? 0);
      if (isLonger && text.includes(hint.toLowerCase())) best = { kind: name, length: hint.length };
    }
  }
  return best ? { ...candidate, kind: best.kind } : candidate;
}

import type { CallDiff } from '../../src-shared/protocol/diff.ts';
import { formatCount, formatNoun } from './format-number.ts';

/** How far a provider's prompt cache can serve the call, in a sentence. */
export function prefixSentence({ prefix }: Pick<CallDiff, 'prefix'>): string {
  const same = `${formatNoun(prefix.messages, 'message')}, ≈ ${formatNoun(prefix.tokens, 'token')}`;
  if (prefix.identical) return `The whole list is the same as in the call before: ${same}.`;
  switch (prefix.at) {
    case 'system':
      return 'What stands before the list differs, so nothing of it can come from the cache.';
    case 'nowhere':
    case 'end':
      return `All of the call before is the beginning of this one: ${same}. What is new stands behind it.`;
    case 'message':
      return prefix.messages === 0
        ? 'The first message differs, so nothing of the list can come from the cache.'
        : `The first ${same}, are the same as in the call before. Message ${formatCount(prefix.messages + 1)} is the first that differs.`;
  }
}

/** Share of the list that stands before the first difference, 0 to 1. */
export function stableShare({ prefix }: Pick<CallDiff, 'prefix'>): number {
  const all = prefix.tokens + prefix.tokens_behind_after;
  return all === 0 ? 0 : prefix.tokens / all;
}

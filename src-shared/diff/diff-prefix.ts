import type { AssembleTrace, TraceDecision, TraceItem } from '../model/trace.ts';
import type { CallDiff } from '../protocol/diff.ts';

type Sent = Pick<AssembleTrace, 'items' | 'decisions' | 'output' | 'output_hash' | 'system_prompt_addition'>;

/** Candidates that are sent, with what was decided about them. */
export function sentEntries({
  items,
  decisions,
}: Pick<Sent, 'items' | 'decisions'>): readonly { readonly item: TraceItem; readonly decision: TraceDecision }[] {
  const byName = new Map(items.map((item) => [item.item, item]));
  return decisions.flatMap((decision) => {
    const item = byName.get(decision.item);
    return item && decision.action !== 'dropped' ? [{ item, decision }] : [];
  });
}

/**
 * Two lists as a provider's prompt cache sees them: from the start to the first message that differs. What stands before
 * the list (the system prompt addition) comes first; where it differs, nothing behind it is the same prefix.
 */
export function diffPrefix(a: Sent, b: Sent): CallDiff['prefix'] {
  const before = listOf(a);
  const after = listOf(b);
  const isSystemSame = (a.system_prompt_addition ?? '') === (b.system_prompt_addition ?? '');
  let messages = 0;
  while (
    isSystemSame &&
    messages < before.entries.length &&
    messages < after.entries.length &&
    before.entries[messages]?.hash === after.entries[messages]?.hash
  ) {
    messages += 1;
  }
  const tokens = isSystemSame ? after.tokensUpTo(messages) : 0;
  const atBefore = before.entries[messages]?.item;
  const atAfter = after.entries[messages]?.item;
  const identical = isSystemSame && atBefore === undefined && atAfter === undefined;
  return {
    messages,
    tokens,
    tokens_behind_before: Math.max(0, before.tokens - tokens),
    tokens_behind_after: Math.max(0, after.tokens - tokens),
    identical,
    at: identical
      ? 'nowhere'
      : !isSystemSame
        ? 'system'
        : atBefore === undefined || atAfter === undefined
          ? 'end'
          : 'message',
    ...(atBefore === undefined || !isSystemSame ? {} : { item_before: atBefore }),
    ...(atAfter === undefined || !isSystemSame ? {} : { item_after: atAfter }),
  };
}

function listOf(call: Sent) {
  const byItem = new Map(sentEntries(call).map((sent) => [sent.item.item, sent]));
  const hashes = new Map(call.items.map((item) => [item.item, item.content_hash]));
  const entries = call.output.map((entry) => ({
    item: entry.item,
    hash: 'inline' in entry ? entry.inline : (hashes.get(entry.item) ?? `host ${entry.host}`),
  }));
  const inList = new Set(entries.map(({ item }) => item));
  const tokensOf = (item: string): number => byItem.get(item)?.decision.tokens_after ?? 0;
  let total = 0;
  let ahead = 0;
  for (const [item, { decision }] of byItem) {
    total += decision.tokens_after;
    // Standing memory and instructions are in no message where the host has a system prompt of its own.
    if (!inList.has(item)) ahead += decision.tokens_after;
  }
  return {
    entries,
    tokens: total,
    /** Of what stands before the list and its first messages; an item of several messages counts with its last one. */
    tokensUpTo: (messages: number): number => {
      const behind = new Set(entries.slice(messages).map(({ item }) => item));
      const seen = new Set<string>();
      let tokens = ahead;
      for (const { item } of entries.slice(0, messages)) {
        if (behind.has(item) || seen.has(item)) continue;
        seen.add(item);
        tokens += tokensOf(item);
      }
      return tokens;
    },
  };
}

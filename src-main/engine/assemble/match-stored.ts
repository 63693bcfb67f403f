import type { TurnMeta } from '../ports/session-store.ts';

/**
 * Which stored turn each message of a host's list is, by its key. With the host's time in it a key is one message. Keys
 * without a time are only texts ("ok", "go on"): they are paired from the newest on, each with a turn before the one
 * that its successor is; and the newest message of the list is a stored turn only if that is the newest in the log,
 * since a list that ends with an older turn ends with a new message of the same words.
 */
export function matchStored(
  keys: readonly string[],
  stored: readonly TurnMeta[],
  newestSequence: number,
): readonly (TurnMeta | undefined)[] {
  const byKey = new Map<string, TurnMeta[]>();
  for (const meta of [...stored].sort((a, b) => a.sequence - b.sequence)) {
    const same = byKey.get(meta.messageKey);
    if (same) same.push(meta);
    else byKey.set(meta.messageKey, [meta]);
  }
  const matched = new Array<TurnMeta | undefined>(keys.length);
  let before = Infinity;
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const same = byKey.get(keys[index] ?? '');
    let meta = same?.at(-1);
    if (!same || !meta) continue;
    if (!hasTime(meta)) {
      while (meta && meta.sequence >= before) {
        same.pop();
        meta = same.at(-1);
      }
      if (!meta || (index === keys.length - 1 && meta.sequence !== newestSequence)) continue;
    }
    same.pop();
    matched[index] = meta;
    before = Math.min(before, meta.sequence);
  }
  return matched;
}

/** With a time the key itself is the identity; see `prepareTurns`. */
function hasTime({ identity, messageKey }: TurnMeta): boolean {
  return identity.startsWith(messageKey);
}

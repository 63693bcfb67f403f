import type { PlanEntry } from '../../src-shared/protocol/assemble.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { mayBeLeftOut } from './may-be-left-out.ts';

/**
 * Turns a plan into the list for the host. The host's own entries become the very same objects, so that signatures and
 * images stay byte for byte.
 * @returns undefined when the plan does not fit the list: positions out of range, repeated, out of order or not
 * described; nothing at all for a list that holds something; or without the host's newest message
 */
export function applyPlan(
  plan: readonly PlanEntry[],
  messages: readonly HostMessage[],
  described: readonly number[],
): HostMessage[] | undefined {
  const allowed = new Set(described);
  const taken = new Set<number>();
  const list: HostMessage[] = [];
  let previous = -1;
  for (const entry of plan) {
    const position = 'host' in entry ? entry.host : entry.replaces;
    if (position === undefined) {
      if ('inline' in entry) list.push(entry.inline);
      continue;
    }
    const message = messages[position];
    if (message === undefined || taken.has(position) || !allowed.has(position)) return undefined;
    taken.add(position);
    // A message that is larger than the whole budget comes as a shortened copy in its place.
    list.push('inline' in entry ? entry.inline : message);
    // A result that something came before is put back beside its call; all others keep their order.
    if (message['role'] === 'toolResult') continue;
    if (position < previous) return undefined;
    previous = position;
  }
  if (messages.length > 0 && list.length === 0) return undefined;
  const newest = messages.length - 1;
  const isNewestMissing = newest >= 0 && !taken.has(newest) && allowed.has(newest);
  return isNewestMissing && !mayBeLeftOut(messages) ? undefined : list;
}

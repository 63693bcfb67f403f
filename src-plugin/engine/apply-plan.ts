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
  const list: HostMessage[] = [];
  let previous = -1;
  for (const entry of plan) {
    if (!('host' in entry)) {
      list.push(entry.inline);
      continue;
    }
    const message = messages[entry.host];
    if (message === undefined || entry.host <= previous || !allowed.has(entry.host)) return undefined;
    previous = entry.host;
    list.push(message);
  }
  if (messages.length > 0 && list.length === 0) return undefined;
  const newest = messages.length - 1;
  const isNewestMissing = newest >= 0 && previous !== newest;
  return isNewestMissing && allowed.has(newest) && !mayBeLeftOut(messages) ? undefined : list;
}

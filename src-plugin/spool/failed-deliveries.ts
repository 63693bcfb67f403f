import type { DaemonFailure } from '../daemon/daemon-failure.ts';
import type { SharedState } from '../shared-state.ts';

/** A daemon that has a bad minute is over it by then (ms, deliveries). */
const bearableMs = 60_000;
const bearable = 5;

/**
 * Whether a waiting request may be what the daemon fails over: it was delivered five times over a minute at least, and
 * each time the daemon said that something went wrong in it (500). Then others may be tried before it.
 */
export function failsAgainAndAgain(
  name: string,
  failure: DaemonFailure,
  { failedDeliveries }: Pick<SharedState, 'failedDeliveries'>,
  now: number,
): boolean {
  if (failure.kind !== 'refused' || failure.status !== 500) return false;
  const before = failedDeliveries.get(name);
  // A clock that was set back begins anew.
  const since = Math.min(before?.since ?? now, now);
  const times = (before?.times ?? 0) + 1;
  failedDeliveries.set(name, { times, since });
  return times >= bearable && now - since >= bearableMs;
}

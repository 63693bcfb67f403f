import type { Alarm } from '../../../src-shared/model/events.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';

/** What was seen of the host and of ourselves. Times in milliseconds since the Unix epoch. */
export interface Observed {
  /** Turns that ran without the engine since the last one that ran with it. */
  readonly bypassedTurns: number;
  /** Turns that were seen since the host last handed one over to be stored. */
  readonly turnsSinceCommit: number;
  readonly lastTurnSeenAt: number | undefined;
  readonly spooled: { readonly pending: number; readonly rejected: number; readonly oldestAt: string | undefined };
  readonly degraded: { readonly degraded: Degraded; readonly at: number } | undefined;
  readonly storeFailed: { readonly message: string; readonly at: number } | undefined;
  readonly catchUpIncomplete: number | undefined;
  /** Background jobs that gave up, with the newest of them. */
  readonly deadJobs:
    { readonly count: number; readonly type: string; readonly error: string; readonly at: number } | undefined;
  readonly recovery: string;
  readonly uncleanShutdown: boolean;
  readonly startedAt: number;
}

/** What went wrong once is worth an alarm for this long (ms). */
const memory = 10 * 60_000;

/** Turns without a commit that are no chance: a failed turn or an announcement has none, but not that many in a row. */
const silentTurns = 5;

/** What a person should know now, and what to do about it. */
export function alarmsOf(seen: Observed, now: number): Alarm[] {
  const found = [
    bypassed(seen, now),
    silent(seen, now),
    rejected(seen, now),
    degraded(seen, now),
    catchUp(seen),
    deadJobs(seen),
    store(seen, now),
  ];
  return found.filter((alarm) => alarm !== undefined);
}

function bypassed({ bypassedTurns, lastTurnSeenAt }: Observed, now: number): Alarm | undefined {
  if (bypassedTurns === 0) return undefined;
  return {
    code: 'engine_bypassed',
    severity: 'danger',
    message: `${counted(bypassedTurns, 'turn')} of the host ran without Strata.`,
    remedy:
      'Run "npm run strata -- doctor": it says whether the plugin is installed, enabled and selected as context engine.',
    since: iso(lastTurnSeenAt ?? now),
  };
}

function silent({ spooled, turnsSinceCommit, lastTurnSeenAt }: Observed, now: number): Alarm | undefined {
  if (spooled.pending > 0) {
    return {
      code: 'host_silent',
      severity: 'warning',
      message: `${counted(spooled.pending, 'turn')} in the plugin's spool, not in the log yet.`,
      remedy: 'They are delivered with the next turn of the host; nothing is lost.',
      since: spooled.oldestAt ?? iso(now),
    };
  }
  if (turnsSinceCommit < silentTurns) return undefined;
  return {
    code: 'host_silent',
    severity: 'warning',
    message: `The host ran ${counted(turnsSinceCommit, 'turn')} and handed none of them over to be stored.`,
    remedy:
      'Run "npm run strata -- doctor"; what is missing is taken in from the transcript at the next start of a turn.',
    since: iso(lastTurnSeenAt ?? now),
  };
}

function rejected({ spooled }: Observed, now: number): Alarm | undefined {
  if (spooled.rejected === 0) return undefined;
  return {
    code: 'turns_rejected',
    severity: 'danger',
    message: `${counted(spooled.rejected, 'turn')} of the host could not be taken into the log and will not be tried again.`,
    remedy: 'They lie with the reason in spool/rejected of the data directory.',
    since: iso(now),
  };
}

function degraded({ degraded: last }: Observed, now: number): Alarm | undefined {
  if (!last || now - last.at >= memory) return undefined;
  return {
    code: 'assemble_degraded',
    severity: 'warning',
    message: `A call was answered with the host's own messages: ${last.degraded.message}`,
    remedy: 'Open the call in the inspector; if it repeats, run "npm run strata -- doctor".',
    since: iso(last.at),
  };
}

function catchUp({ catchUpIncomplete }: Observed): Alarm | undefined {
  if (catchUpIncomplete === undefined) return undefined;
  return {
    code: 'catch_up_incomplete',
    severity: 'warning',
    message: 'The host has history that was not taken in yet, because one catch-up is bounded.',
    remedy: 'It goes on with each further turn of the session.',
    since: iso(catchUpIncomplete),
  };
}

function deadJobs({ deadJobs: dead }: Observed): Alarm | undefined {
  if (!dead) return undefined;
  return {
    code: 'jobs_dead',
    severity: 'warning',
    message: `${counted(dead.count, 'background job')} gave up, the last one (${dead.type}) with: ${dead.error}`,
    remedy: '"npm run strata -- jobs list --state dead" lists them; retry or cancel each.',
    since: iso(dead.at),
  };
}

/** One alarm about the store: what fails now before what was mended at the start. */
function store({ storeFailed, recovery, uncleanShutdown, startedAt }: Observed, now: number): Alarm | undefined {
  if (storeFailed && now - storeFailed.at < memory) {
    return {
      code: 'store_failing',
      severity: 'danger',
      message: `The store did not do its work: ${storeFailed.message}`,
      remedy: 'Look for a full disk or another program on the data directory; run "npm run strata -- doctor".',
      since: iso(storeFailed.at),
    };
  }
  if (recovery !== '') {
    return {
      code: 'store_failing',
      severity: 'danger',
      message: recovery,
      remedy: 'What was set aside is kept beside the database; run "npm run strata -- doctor" for what it holds.',
      since: iso(startedAt),
    };
  }
  if (!uncleanShutdown) return undefined;
  return {
    code: 'unclean_shutdown',
    severity: 'warning',
    message: 'The process before this one did not end cleanly; everything that was acknowledged is in the log.',
    remedy: 'Nothing to do. Stop the daemon with Ctrl-C or SIGTERM where you can.',
    since: iso(startedAt),
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

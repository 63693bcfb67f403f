import type { Alarm } from '../../../src-shared/model/events.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import type { Trouble } from './session-links.ts';

/** What was seen of the host and of ourselves. Times in milliseconds since the Unix epoch. */
export interface Observed {
  /** Turns that ran without the engine since the last one of their session that ran with it. */
  readonly bypassed: Trouble | undefined;
  /** Turns that were seen since the host last handed one of their session over to be stored, where they are many. */
  readonly silent: Trouble | undefined;
  readonly spooled: { readonly pending: number; readonly rejected: number; readonly oldestAt: string | undefined };
  readonly degraded: { readonly degraded: Degraded; readonly at: number; readonly uid: string | undefined } | undefined;
  readonly storeFailed: { readonly message: string; readonly at: number } | undefined;
  /** Sessions of whose history a part was not taken in yet. */
  readonly behind: Trouble | undefined;
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
export const silentTurns = 5;

/** What a person should know now, and what to do about it. */
export function alarmsOf(seen: Observed, now: number): Alarm[] {
  const found = [
    bypassed(seen, now),
    silent(seen, now),
    rejected(seen, now),
    degraded(seen, now),
    catchUp(seen, now),
    deadJobs(seen),
    store(seen, now),
  ];
  return found.filter((alarm) => alarm !== undefined);
}

function bypassed({ bypassed: seen }: Observed, now: number): Alarm | undefined {
  if (!seen) return undefined;
  return {
    code: 'engine_bypassed',
    severity: 'danger',
    message: `${counted(seen.turns, 'turn')} of the host ran without Strata${inSessions(seen)}.`,
    remedy:
      'Run "npm run strata -- doctor": it says whether the plugin is installed, enabled and selected as context engine.',
    since: iso(seen.at ?? now),
    session_uid: seen.uid,
  };
}

function silent({ spooled, silent: seen }: Observed, now: number): Alarm | undefined {
  if (spooled.pending > 0) {
    return {
      code: 'host_silent',
      severity: 'warning',
      message: `${counted(spooled.pending, 'turn')} in the plugin's spool, not in the log yet.`,
      remedy: 'They are delivered with the next turn of the host; nothing is lost.',
      since: spooled.oldestAt ?? iso(now),
    };
  }
  if (!seen) return undefined;
  return {
    code: 'host_silent',
    severity: 'warning',
    message: `The host ran ${counted(seen.turns, 'turn')}${inSessions(seen)} and handed none of them over to be stored.`,
    remedy:
      'Run "npm run strata -- doctor"; what is missing is taken in from the transcript at the next start of a turn.',
    since: iso(seen.at ?? now),
    session_uid: seen.uid,
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
    session_uid: last.uid,
  };
}

function catchUp({ behind }: Observed, now: number): Alarm | undefined {
  if (!behind) return undefined;
  const which = behind.sessions === 1 ? '' : ` of ${counted(behind.sessions, 'session')}`;
  return {
    code: 'catch_up_incomplete',
    severity: 'warning',
    message: `The host has history${which} that was not taken in yet, because one catch-up is bounded.`,
    remedy: 'It goes on with each further turn of the session.',
    since: iso(behind.at ?? now),
    session_uid: behind.uid,
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

function inSessions({ sessions }: Trouble): string {
  return sessions === 1 ? '' : `, in ${counted(sessions, 'session')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

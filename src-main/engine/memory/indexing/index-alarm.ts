import type { Alarm } from '../../../../src-shared/model/events.ts';
import type { OutboxBacklog } from '../../ports/memory-outbox.ts';

/** Pages that wait longer are worth an alarm (ms): the index takes in some hundred of them in a second. */
const longestWait = 60_000;
/** A failure is usually over by then (ms). */
const longestFailure = 15_000;

export interface IndexTrouble {
  readonly backlog: OutboxBacklog;
  readonly failure: { readonly error: unknown; readonly since: number } | undefined;
  readonly embedder: { readonly error: { readonly message: string }; readonly since: number } | undefined;
}

/** What a person should know of the index now. Times in ms since the epoch. */
export function indexAlarms({ backlog, failure, embedder }: IndexTrouble, now: number): Alarm[] {
  const alarms: Alarm[] = [];
  const add = (message: string, remedy: string, since: number): void => {
    alarms.push({ code: 'index_behind', severity: 'warning', message, remedy, since: new Date(since).toISOString() });
  };
  if (failure && now - failure.since >= longestFailure) {
    const said = failure.error instanceof Error ? failure.error.message : String(failure.error);
    add(
      `The index of memory cannot be written: ${said}`,
      'It is tried again every few seconds; nothing is lost.',
      failure.since,
    );
  } else if (backlog.oldest !== null && now - backlog.oldest >= longestWait) {
    const wait = Math.round((now - backlog.oldest) / 1_000);
    const message = `${backlog.waiting} changed pages are not in the index yet, the oldest for ${wait} s.`;
    add(message, 'It catches up by itself; "npm run strata -- jobs" and the log say what holds it up.', backlog.oldest);
  }
  if (backlog.dead > 0) {
    const message = `${backlog.dead} pages could not be indexed; a search does not find them.`;
    const remedy = 'The log names them and the reason. Mend it, then run "npm run strata -- reindex --retry-dead".';
    add(message, remedy, now);
  }
  if (embedder) {
    const remedy = 'Search by words goes on without it. Check embedder in config.yaml and whether the endpoint runs.';
    add(`Texts wait for their vectors: ${embedder.error.message}`, remedy, embedder.since);
  }
  return alarms;
}

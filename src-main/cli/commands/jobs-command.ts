import type { JobDetail, JobState, JobSummary } from '../../../src-shared/model/job.ts';
import { cancelJobRoute, jobRoute, jobsRoute, retryJobRoute } from '../../../src-shared/protocol/jobs.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { cut, formatAge, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

export interface JobsOptions {
  readonly limit: number;
  readonly state?: JobState;
  readonly type?: string;
  readonly session?: string;
}

/** Background work, newest first. */
export async function jobsCommand(context: CliContext, options: JobsOptions): Promise<void> {
  const { limit, state, type } = options;
  const session = options.session === undefined ? undefined : await findSession(context, options.session);
  const query = { limit, state, type, session_uid: session?.session_uid };
  const page = await context.client.call(jobsRoute, { query });
  if (context.json) return context.print(JSON.stringify(page));
  if (page.items.length === 0) {
    const isFiltered = [state, type, session].some((filter) => filter !== undefined);
    return context.print(isFiltered ? 'No such background jobs.' : 'No background jobs.');
  }
  context.print(
    printTable(
      [
        { title: 'JOB', value: (row) => row.job_id },
        { title: 'TYPE', value: (row) => (row.trigger === undefined ? row.type : `${row.type} (${row.trigger})`) },
        { title: 'SESSION', value: (row) => row.session_uid ?? '' },
        { title: 'STATE', value: stateOf },
        { title: 'TRIES', value: (row) => `${row.attempts}/${row.max_attempts}`, align: 'right' },
        { title: 'PROGRESS', value: progressOf, align: 'right' },
        { title: 'NEXT', value: (row) => nextOf(row, context.now()) },
        { title: 'MADE', value: (row) => `${formatAge(row.created_at, context.now())} ago` },
        { title: 'REMARK', value: (row) => cut(row.last_error ?? nothingDone(row) ?? '', 60) },
      ],
      page.items,
    ),
  );
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

/** One job: what it is to do, what became of it. */
export async function showJobCommand(context: CliContext, id: string): Promise<void> {
  const job = await known(id, context.client.call(jobRoute, { params: { id } }));
  context.print(context.json ? JSON.stringify(job) : describe(job, context.now()));
}

export async function retryJobCommand(context: CliContext, id: string): Promise<void> {
  const job = await known(id, context.client.call(retryJobRoute, { params: { id } }));
  context.print(context.json ? JSON.stringify(job) : `Job ${job.job_id} is queued and begins as soon as it can.`);
}

export async function cancelJobCommand(context: CliContext, id: string): Promise<void> {
  const job = await known(id, context.client.call(cancelJobRoute, { params: { id } }));
  const told = job.state === 'running' ? 'was asked to stop' : 'is cancelled';
  context.print(context.json ? JSON.stringify(job) : `Job ${job.job_id} ${told}.`);
}

/** The daemon's own remedy is a request; here it is a command. */
async function known<T>(id: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unknown_job') throw error;
    throw new EngineError(
      'unknown_job',
      `There is no job ${JSON.stringify(id)}; jobs that ended are removed after a while. "npm run strata -- jobs" lists those there are.`,
    );
  }
}

function describe(job: JobDetail, now: Date): string {
  const attempts = printTable(
    [
      { title: '#', value: (row) => row.number, align: 'right' },
      { title: 'OUTCOME', value: (row) => row.outcome },
      { title: 'BEGAN', value: (row) => `${formatAge(row.started_at, now)} ago` },
      { title: 'MS', value: (row) => duration(row), align: 'right' },
      { title: 'ERROR', value: (row) => cut(row.error ?? '', 100) },
    ],
    job.history,
  );
  return [
    `Job ${job.job_id} · ${job.type} · ${stateOf(job)} · ${job.attempts} of ${job.max_attempts} attempts`,
    ...(job.session_uid === undefined ? [] : [`Session: ${job.session_uid}`]),
    ...(job.progress === undefined ? [] : [`Progress: ${progressOf(job)} ${job.progress.note ?? ''}`.trimEnd()]),
    ...(job.state === 'queued' ? [`Next attempt: ${nextOf(job, now)}`] : []),
    ...(nothingDone(job) === undefined ? [] : [`It ${nothingDone(job) ?? ''}`]),
    ...(job.last_error === undefined ? [] : [`Last error: ${job.last_error}`]),
    `Payload: ${JSON.stringify(job.payload)}`,
    ...(job.result === undefined ? [] : [`Result: ${JSON.stringify(job.result)}`]),
    '',
    job.history.length === 0 ? 'It has not begun yet.' : attempts,
  ].join('\n');
}

/** A job may end well without anything to do. */
function nothingDone({ state, reason }: JobSummary): string | undefined {
  return state === 'succeeded' && reason !== undefined ? `did nothing: ${reason.replaceAll('_', ' ')}` : undefined;
}

function stateOf(job: JobSummary): string {
  return job.cancel_requested ? `${job.state} (stopping)` : job.state;
}

function progressOf({ progress }: JobSummary): string {
  if (progress === undefined) return '';
  // A handler that does not know how much there is says 0.
  return progress.total === 0
    ? formatCount(progress.done)
    : `${formatCount(progress.done)}/${formatCount(progress.total)}`;
}

function nextOf({ state, next_attempt_at: next }: JobSummary, now: Date): string {
  if (state !== 'queued') return '';
  if (next === undefined || Date.parse(next) <= now.getTime()) return 'at once';
  return `in ${formatAge(now.toISOString(), new Date(next))}`;
}

function duration({ started_at: start, ended_at: end }: JobDetail['history'][number]): string {
  return end === undefined ? '' : formatCount(Date.parse(end) - Date.parse(start));
}

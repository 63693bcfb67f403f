import { setTimeout as wait } from 'node:timers/promises';
import type { JobDetail } from '../../../src-shared/model/job.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { jobRoute } from '../../../src-shared/protocol/jobs.ts';
import { reindexRoute, retryOutboxRoute } from '../../../src-shared/protocol/pages.ts';
import type { CliContext } from '../cli-context.ts';
import { formatAmount, formatCount } from '../format.ts';

export interface ReindexOptions {
  readonly wait: boolean;
  readonly retryDead?: boolean;
}

/** How often it asks how far the job is (ms), and how often it says so at most. */
const askEvery = 250;
const tellEvery = 2_000;

/** Builds the index of memory anew. Answers false when that came to nothing; ending the command does not end the job. */
export async function reindexCommand(context: CliContext, options: ReindexOptions): Promise<boolean> {
  if (options.retryDead === true) {
    await retryDead(context);
    return true;
  }
  const { job_id: id } = await context.client.call(reindexRoute, { body: {} });
  if (!options.wait) {
    const started = `Job ${id} builds the index anew; "npm run strata -- jobs show ${id}" says how far it is.`;
    context.print(context.json ? JSON.stringify({ job_id: id }) : started);
    return true;
  }
  const job = await follow(context, id);
  if (context.json) {
    context.print(JSON.stringify(job));
    return job.state === 'succeeded';
  }
  if (job.state !== 'succeeded') {
    const why = job.state === 'cancelled' ? 'it was cancelled' : (job.last_error ?? 'no reason given');
    throw new EngineError(
      'store_failed',
      `The index was not built anew: ${why}. What is missing is taken in by itself; "npm run strata -- doctor" says more.`,
    );
  }
  context.print(describe(job));
  return true;
}

async function retryDead(context: CliContext): Promise<void> {
  const reply = await context.client.call(retryOutboxRoute, { body: {} });
  if (context.json) return context.print(JSON.stringify(reply));
  context.print(
    reply.revived === 0
      ? 'No page had been given up.'
      : `${formatAmount(reply.revived, 'page')} that could not be indexed will be tried again now.`,
  );
}

/** Until it has ended, one way or another. */
async function follow(context: CliContext, id: string): Promise<JobDetail> {
  let told = '';
  let toldAt = -Infinity;
  for (;;) {
    const job = await context.client.call(jobRoute, { params: { id } });
    if (job.state !== 'queued' && job.state !== 'running') return job;
    const state = progressOf(job);
    const now = context.now().getTime();
    if (state !== told && now - toldAt >= tellEvery) {
      context.note(state);
      told = state;
      toldAt = now;
    }
    await wait(askEvery);
  }
}

function progressOf({ state, progress, last_error: error }: JobDetail): string {
  if (state === 'queued') return error === undefined ? 'It waits for its turn …' : `It will be tried again: ${error}`;
  if (progress === undefined) return 'It begins …';
  const { done, total, note = 'done' } = progress;
  return total > done ? `${formatCount(done)} of ${formatCount(total)} ${note}` : `${formatCount(done)} ${note}`;
}

/** What the handler answers is stored with the job. */
function describe({ result }: JobDetail): string {
  const count = (name: string): number => {
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return 0;
    const value: unknown = Object.entries(result).find(([key]) => key === name)?.[1];
    return typeof value === 'number' ? value : 0;
  };
  const unreadable = count('unreadable');
  const left =
    unreadable === 0
      ? ''
      : `\n${formatAmount(unreadable, 'page')} could not be read; the log names each with the reason.`;
  return `The index was built anew: ${formatAmount(count('pages'), 'page')}, ${formatAmount(count('turns'), 'turn')}.${left}`;
}

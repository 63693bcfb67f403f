import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import { describeJob, describeJobFully } from './describe-job.ts';
import type { JobRunner } from './job-runner.ts';

type JobsApi = Pick<EngineApi, 'jobs' | 'job' | 'retryJob' | 'cancelJob'>;

/** What people see of background work and may do with it. */
export function createJobsApi(queue: JobQueue, runner: JobRunner): JobsApi {
  return {
    jobs: async ({ query }) => {
      const filter = { state: query.state, type: query.type, sessionUid: query.session_uid };
      const page = await queue.list({ cursor: query.cursor, limit: query.limit }, filter);
      return { items: page.items.map(describeJob), next_cursor: page.nextCursor, total: page.total };
    },
    job: async ({ params }) => {
      const found = await queue.get(params.id);
      if (found) return describeJobFully(found.job, found.attempts);
      throw new EngineError(
        'unknown_job',
        `There is no job ${JSON.stringify(params.id)}; jobs that ended are removed after a while. GET /v1/jobs lists those there are.`,
      );
    },
    retryJob: async ({ params }) => describeJob(await runner.retry(params.id)),
    cancelJob: async ({ params }) => describeJob(await runner.cancel(params.id)),
  };
}

import type { JobDetail, JobState, JobSummary } from '../../src-shared/model/job.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { LiveNews } from './create-live-store.ts';
import { createPagedStore, type PagedStore } from './create-paged-store.ts';
import type { Soon } from './create-session-stores.ts';
import { createValueStore, type ValueStore } from './create-value-store.ts';
import { remember } from './remember.ts';

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly type?: string | undefined;
}

/** All that is shown of background work. */
export interface JobStores {
  list(filter: JobFilter): PagedStore<JobSummary>;
  job(id: string): ValueStore<JobDetail>;
  take(news: LiveNews): void;
}

const keptLists = 6;
const keptJobs = 12;

export function createJobStores(client: EngineClient, now: () => number, soon: Soon): JobStores {
  const lists = new Map<string, PagedStore<JobSummary>>();
  const jobs = new Map<string, ValueStore<JobDetail>>();
  const refreshLists = soon(() => lists.forEach((list) => void list.refresh()), 500);
  const refreshJobs = soon(() => jobs.forEach((job) => void job.refresh()), 500);
  return {
    list: ({ state, type }) =>
      remember(lists, `${state ?? ''} ${type ?? ''}`, keptLists, () =>
        createPagedStore<JobSummary>({
          fetchPage: (cursor) => client.call('jobs', { query: { cursor, limit: 100, state, type } }),
          keyOf: (job) => job.job_id,
          growsAt: 'head',
          changesAnywhere: true,
          now,
        }),
      ),
    job: (id) =>
      remember(jobs, id, keptJobs, () => createValueStore(() => client.call('job', { params: { id } }), now)),
    take(news) {
      if (news.type === 'missed') {
        refreshLists();
        refreshJobs();
      }
      if (news.type !== 'job.changed') return;
      const { state, progress } = news;
      const heard = (job: JobSummary): JobSummary => ({
        ...job,
        state,
        ...(progress === undefined ? {} : { progress }),
      });
      lists.forEach((list) => list.change(news.job_id, heard));
      refreshLists();
      if (jobs.has(news.job_id)) refreshJobs();
    },
  };
}

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { JobState, JobSummary } from '../../../src-shared/model/job.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { jobStateWord } from '../../model/job-words.ts';
import type { JobsPlace } from '../../navigation/place.ts';
import { JobCard } from './JobCard.tsx';
import { JobLine, JobLineHead } from './JobLine.tsx';
import { JobsFilters } from './JobsFilters.tsx';

/** Background work, newest first. With one open it is the list beside it, and moving opens. */
export function JobsList({ place }: { readonly place: JobsPlace }) {
  const { stores, navigation } = useApp();
  const { state: wanted, type, jobId } = place;
  const wide = jobId === undefined;
  const jobs = stores.jobs.list({ state: wanted, type });
  const state = useStore(jobs);
  useEffect(() => void jobs.load(), [jobs]);
  // What was heard of a job is newer than the list that it stands in.
  const shown = useMemo(
    () => state.items.filter((job) => wanted === undefined || job.state === wanted),
    [state.items, wanted],
  );
  const open = (job: JobSummary) => {
    const next = { ...place, jobId: job.job_id };
    if (wide) navigation.go(next);
    else navigation.step(next);
  };
  return (
    <>
      <JobsFilters place={place} total={state.total} shown={shown.length} />
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void jobs.refresh()} />
      {state.loadedAt === undefined ? (
        state.error === undefined ? (
          <Skeleton label="Reading the jobs" rows={8} />
        ) : (
          <ErrorState title="The jobs could not be read" error={state.error} onRetry={() => void jobs.load()} />
        )
      ) : shown.length === 0 ? (
        <NoJobs state={wanted} type={type} />
      ) : (
        <>
          {wide && <JobLineHead />}
          <VirtualList
            items={shown}
            keyOf={(job) => job.job_id}
            rowHeight={wide ? 44 : 62}
            label="Jobs, newest first"
            selected={jobId}
            follow={!wide}
            hotKeys
            arrived={state.arrived}
            onOpen={open}
            onEnd={
              state.hasMore && !state.loadingMore && state.error === undefined ? () => void jobs.loadMore() : undefined
            }
            renderRow={(job) => (wide ? <JobLine job={job} /> : <JobCard job={job} />)}
            foot={
              state.items.length < state.total
                ? `${formatCount(state.items.length)} of ${formatCount(state.total)} jobs read`
                : undefined
            }
          />
        </>
      )}
    </>
  );
}

function NoJobs({ state, type }: { readonly state: JobState | undefined; readonly type: string | undefined }) {
  if (state !== undefined || type !== undefined) {
    const kind = type === undefined ? 'job' : `job of the type “${type}”`;
    return (
      <EmptyState title={state === 'dead' ? 'No job gave up' : 'No job matches'}>
        <p>
          {state === undefined
            ? `There is no ${kind}.`
            : `There is no ${kind} in the state “${jobStateWord(state).toLowerCase()}”.`}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No job yet">
      <p>
        A job is a piece of work in the background, such as a compaction that a trigger asked for. It survives a
        restart, is tried again when it fails, and appears here by itself.
      </p>
    </EmptyState>
  );
}

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { JobSummary } from '../../../src-shared/model/job.ts';
import { ErrorLine } from '../../components/ErrorLine.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useNow } from '../../hooks/use-now.ts';
import { canCancel, whyNotRetried } from '../../model/job-words.ts';
import { createActionStore } from '../../stores/create-action-store.ts';

/** Try again and cancel. Neither needs a question first: each can be taken back with the other. */
export function JobActions({ job }: { readonly job: JobSummary }) {
  const { stores } = useApp();
  const now = useNow();
  const id = job.job_id;
  const action = useMemo(
    () =>
      createActionStore(async (route: 'retryJob' | 'cancelJob') => {
        const changed = await stores.client.call(route, { params: { id } });
        // What a person did themselves is shown also while the page is paused.
        await Promise.all([stores.jobs.job(id).refresh(), stores.jobs.list({}).refresh(), stores.health.refresh()]);
        return changed;
      }, Date.now),
    [stores, id],
  );
  const { status, error } = useStore(action);
  const refusal = whyNotRetried(job, now);
  const waits = job.state === 'queued';
  return (
    <>
      <div className="job-actions">
        <button
          type="button"
          className="button small"
          disabled={refusal !== undefined || status === 'running'}
          title={refusal ?? (waits ? 'Begin at once instead of waiting' : 'Queue it anew, with all of its attempts')}
          onClick={() => void action.run('retryJob')}
        >
          {waits ? 'Try now' : 'Try again'}
        </button>
        <button
          type="button"
          className="button small"
          disabled={!canCancel(job) || status === 'running'}
          title={
            job.state === 'dead' ? 'Put it aside: it is no alarm any more' : 'Cancel it; it can be tried again later'
          }
          onClick={() => void action.run('cancelJob')}
        >
          {job.state === 'dead' ? 'Put aside' : 'Cancel'}
        </button>
      </div>
      {error !== undefined && (
        <div className="job-error">
          <ErrorLine title="It was not done" error={error} />
        </div>
      )}
    </>
  );
}

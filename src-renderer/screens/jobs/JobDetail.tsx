import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { JobDetail as Job } from '../../../src-shared/model/job.ts';
import { CheckpointLink } from '../../components/CheckpointLink.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Facts, type Fact } from '../../components/Facts.tsx';
import { JobMark } from '../../components/JobMark.tsx';
import { MessageView } from '../../components/MessageView.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { Time } from '../../components/Time.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useNow } from '../../hooks/use-now.ts';
import { formatCount, formatDuration } from '../../model/format-number.ts';
import { formatExactTime } from '../../model/format-time.ts';
import { attemptWords, checkpointIdsOf, idleWords, jobLine, waitWords } from '../../model/job-words.ts';
import { toJson } from '../../model/message-text.ts';
import { JobActions } from './JobActions.tsx';
import { JobAttempts } from './JobAttempts.tsx';
import { JobProgress } from './JobProgress.tsx';
import { SessionName } from './SessionName.tsx';

/** One piece of background work: how it stands, what it was told, what it answered, and every attempt. */
export function JobDetail({ jobId }: { readonly jobId: string }) {
  const { stores } = useApp();
  const store = stores.jobs.job(jobId);
  const { value, error, loadedAt } = useStore(store);
  useEffect(() => void store.load(), [store]);
  if (value !== undefined) {
    return (
      <>
        <StaleNotice error={error} loadedAt={loadedAt} onRetry={() => void store.refresh()} />
        <Loaded job={value} />
      </>
    );
  }
  return error === undefined ? (
    <Skeleton label="Reading the job" rows={8} />
  ) : (
    <ErrorState title="The job could not be read" error={error} onRetry={() => void store.refresh()} />
  );
}

function Loaded({ job }: { readonly job: Job }) {
  const now = useNow();
  const line = jobLine(job, now);
  const idle = idleWords(job);
  const made = checkpointIdsOf(job.result);
  return (
    <div className="job-detail" tabIndex={-1}>
      <div className="detail-title">
        <h2>{job.type}</h2>
        <JobMark state={job.state} />
        {idle !== undefined && <span className={`tag${idle.warn ? ' warn' : ''}`}>nothing to do</span>}
        <CopyButton text={job.job_id} label="Copy id" />
        <JobActions job={job} />
      </div>
      {job.state === 'running' && <JobProgress progress={job.progress} />}
      {line !== '' && <p className={`notice${job.state === 'dead' ? ' warn' : ''}`}>{line}</p>}
      {idle !== undefined && <p className={`notice${idle.warn ? ' warn' : ''}`}>{idle.sentence}</p>}
      <div className="facts-pair">
        <Facts facts={whatFacts(job)} />
        <Facts facts={whenFacts(job, now)} />
      </div>
      {job.session_uid !== undefined && made.length > 0 && (
        <Part title="Checkpoints that it made">
          <p className="named-checkpoints">
            {made.map((id, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <CheckpointLink uid={job.session_uid ?? ''} checkpointId={id} />
              </span>
            ))}
          </p>
        </Part>
      )}
      <Part title="Attempts">
        <JobAttempts
          history={job.history}
          attempts={job.attempts}
          waits={job.state === 'queued' ? waitWords(job, now) : ''}
        />
      </Part>
      <Part title="What it was told">
        <MessageView message={toJson(job.payload)} name="payload" />
      </Part>
      <Part title="What it answered">
        {job.result === undefined ? (
          <p className="dim">Nothing yet: a job answers when it has succeeded.</p>
        ) : (
          <MessageView message={toJson(job.result)} name="result" />
        )}
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="job-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function whatFacts(job: Job): Fact[] {
  const shown: Fact[] = [
    {
      name: 'Session',
      value:
        job.session_uid === undefined ? (
          <span className="dim">none</span>
        ) : (
          <PlaceLink place={{ at: 'session', uid: job.session_uid, tab: 'checkpoints' }}>
            <SessionName uid={job.session_uid} />
          </PlaceLink>
        ),
    },
    { name: 'Attempts', value: <span className="num">{attemptWords(job)}</span> },
    { name: 'An attempt may take', value: <span className="num">{formatDuration(job.timeout_ms)}</span> },
    { name: 'Priority', value: <span className="num">{formatCount(job.priority)}</span> },
  ];
  if (job.single_flight_key !== undefined)
    shown.push({ name: 'One at a time with', value: <code>{job.single_flight_key}</code> });
  if (job.idempotency_key !== undefined)
    shown.push({ name: 'Made once under', value: <code>{job.idempotency_key}</code> });
  return shown;
}

function whenFacts(job: Job, now: number): Fact[] {
  const moment = (name: string, iso: string | undefined, as: 'both' | 'clock' = 'both'): Fact[] =>
    iso === undefined
      ? []
      : [
          {
            name,
            value: (
              <span title={formatExactTime(iso)}>
                <Time iso={iso} as={as} />
              </span>
            ),
          },
        ];
  const waits = job.state === 'queued' && job.next_attempt_at !== undefined && Date.parse(job.next_attempt_at) > now;
  return [
    ...moment('Created', job.created_at),
    ...moment('Begun', job.started_at),
    ...moment('Ended', job.finished_at),
    ...(waits ? moment('Next attempt', job.next_attempt_at, 'clock') : []),
  ];
}

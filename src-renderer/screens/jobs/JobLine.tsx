import type { JobSummary } from '../../../src-shared/model/job.ts';
import { JobMark } from '../../components/JobMark.tsx';
import { Time } from '../../components/Time.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { formatDuration } from '../../model/format-number.ts';
import { attemptWords, jobLine } from '../../model/job-words.ts';
import { JobProgress } from './JobProgress.tsx';
import { SessionName } from './SessionName.tsx';

const columns = ['State', 'Type', 'Session', 'Progress, next attempt or error', 'Attempts', 'Took', 'Created'] as const;

export function JobLineHead() {
  return (
    <div className="job-line head" aria-hidden="true">
      {columns.map((name, index) => (
        <span key={name} className={index > 3 ? 'right' : ''}>
          {name}
        </span>
      ))}
    </div>
  );
}

export function JobLine({ job }: { readonly job: JobSummary }) {
  const now = useNow();
  return (
    <div className="job-line">
      <JobMark state={job.state} />
      <span className="clip">{job.type}</span>
      <SessionName uid={job.session_uid} />
      <span className="job-what">
        {job.state === 'running' && <JobProgress progress={job.progress} />}
        <span className={`clip${job.state === 'dead' ? ' warn' : ' soft'}`} title={jobLine(job, now)}>
          {jobLine(job, now)}
        </span>
      </span>
      <span className="num right soft">{attemptWords(job)}</span>
      <span className="num right soft">{tookWords(job, now)}</span>
      <span className="right soft">
        <Time iso={job.created_at} />
      </span>
    </div>
  );
}

function tookWords({ started_at: start, finished_at: end, state }: JobSummary, now: number): string {
  if (start === undefined) return '';
  const to = end === undefined ? (state === 'running' ? now : undefined) : Date.parse(end);
  return to === undefined ? '' : formatDuration(Math.max(0, to - Date.parse(start)));
}

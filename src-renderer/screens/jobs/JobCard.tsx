import type { JobSummary } from '../../../src-shared/model/job.ts';
import { JobMark } from '../../components/JobMark.tsx';
import { Time } from '../../components/Time.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { jobLine } from '../../model/job-words.ts';
import { SessionName } from './SessionName.tsx';

/** A job in the narrow list beside its detail. */
export function JobCard({ job }: { readonly job: JobSummary }) {
  const now = useNow();
  const line = jobLine(job, now);
  return (
    <div className="job-card">
      <div className="card-line">
        <span className="job-card-name">
          <JobMark state={job.state} /> <span className="clip">{job.type}</span>
        </span>
        <span className="card-time">
          <Time iso={job.created_at} />
        </span>
      </div>
      <div className="card-line small soft">
        {line === '' ? (
          <SessionName uid={job.session_uid} />
        ) : (
          <span className={`clip${job.state === 'dead' ? ' warn' : ''}`}>{line}</span>
        )}
      </div>
    </div>
  );
}

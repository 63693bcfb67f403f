import type { JobProgress as Progress } from '../../../src-shared/model/job.ts';
import './jobs.css';

/** A bar where the end is known, else a moving line. */
export function JobProgress({ progress }: { readonly progress: Progress | undefined }) {
  if (progress === undefined || progress.total === 0) {
    return (
      <span className="job-bar" role="progressbar" aria-label="Progress">
        <span className="progress-line" />
      </span>
    );
  }
  const share = Math.min(1, progress.done / progress.total);
  return (
    <span
      className="job-bar"
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <span className="job-fill" style={{ width: `${share * 100}%` }} />
    </span>
  );
}

import { SplitPane } from '../../components/SplitPane.tsx';
import type { JobsPlace } from '../../navigation/place.ts';
import { JobDetail } from './JobDetail.tsx';
import { JobsList } from './JobsList.tsx';
import './jobs.css';

/** Background work; the chosen job opens beside the list. */
export function JobsScreen({ place }: { readonly place: JobsPlace }) {
  if (place.jobId === undefined) {
    return (
      <section className="full-list">
        <JobsList place={place} />
      </section>
    );
  }
  return (
    <SplitPane
      name="jobs"
      initial={340}
      min={260}
      max={640}
      list={<JobsList place={place} />}
      detail={<JobDetail key={place.jobId} jobId={place.jobId} />}
    />
  );
}

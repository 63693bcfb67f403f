import { useStore } from 'zustand';
import type { JobState } from '../../../src-shared/model/job.ts';
import { JobMark } from '../../components/JobMark.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { jobStates, jobStateWord } from '../../model/job-words.ts';
import type { JobsPlace } from '../../navigation/place.ts';

interface Props {
  readonly place: JobsPlace;
  readonly total: number;
  readonly shown: number;
}

export function JobsFilters({ place, total, shown }: Props) {
  const { stores, navigation } = useApp();
  const known = useStore(stores.jobs.list({}), (state) => state.items);
  const types = [
    ...new Set([...known.map((job) => job.type), ...(place.type === undefined ? [] : [place.type])]),
  ].sort();
  const filter = (next: { readonly state?: JobState | undefined; readonly type?: string | undefined }) => {
    const { state, type } = { state: place.state, type: place.type, ...next };
    navigation.step({
      at: 'jobs',
      ...(place.jobId === undefined ? {} : { jobId: place.jobId }),
      ...(state === undefined ? {} : { state }),
      ...(type === undefined ? {} : { type }),
    });
  };
  return (
    <div className="list-head jobs-head" role="group" aria-label="Filter jobs">
      {place.jobId === undefined ? (
        <div className="filter-set">
          {jobStates.map((state) => (
            <button
              key={state}
              type="button"
              className="button small"
              aria-pressed={place.state === state}
              onClick={() => filter({ state: place.state === state ? undefined : state })}
            >
              <JobMark state={state} />
            </button>
          ))}
        </div>
      ) : (
        <select
          className="field small"
          aria-label="State"
          value={place.state ?? ''}
          onChange={(event) => filter({ state: jobStates.find((state) => state === event.target.value) })}
        >
          <option value="">every state</option>
          {jobStates.map((state) => (
            <option key={state} value={state}>
              {jobStateWord(state)}
            </option>
          ))}
        </select>
      )}
      <select
        className="field small"
        aria-label="Type"
        value={place.type ?? ''}
        onChange={(event) => filter({ type: event.target.value === '' ? undefined : event.target.value })}
      >
        <option value="">every type</option>
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <span className="list-count num">
        {shown < total ? `${formatCount(shown)} of ${formatNoun(total, 'job')}` : formatNoun(shown, 'job')}
      </span>
    </div>
  );
}

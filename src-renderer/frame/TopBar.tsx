import { useStore } from 'zustand';
import type { JobDetail } from '../../src-shared/model/job.ts';
import { CheckpointLink } from '../components/CheckpointLink.tsx';
import { PlaceLink } from '../components/PlaceLink.tsx';
import { Time } from '../components/Time.tsx';
import { useApp } from '../hooks/app-context.ts';
import { sessionName } from '../model/session-name.ts';
import { nameInUri, pageName } from '../model/page-words.ts';
import type { MemoryPlace, OperationsPlace } from '../navigation/memory-place.ts';
import type { JobsPlace, SessionTab } from '../navigation/place.ts';
import type { ValueStore } from '../stores/create-value-store.ts';
import { DeadJobsChip } from './DeadJobsChip.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { HostLinkChip } from './HostLinkChip.tsx';
import { LiveSwitch } from './LiveSwitch.tsx';
import { SearchField } from './SearchField.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';

/** Where one is, at the left; the search; how the engine is, at the right. */
export function TopBar() {
  return (
    <header className="top-bar">
      <Trail />
      <SearchField />
      <div className="top-tools">
        <DeadJobsChip />
        <HostLinkChip />
        <LiveSwitch />
        <ThemeMenu />
        <HelpDialog />
      </div>
    </header>
  );
}

function Trail() {
  const { navigation } = useApp();
  const place = useStore(navigation, (state) => state.place);
  if (place.at === 'overview') return <h1 className="trail">Overview</h1>;
  if (place.at === 'sessions') return <h1 className="trail">Sessions</h1>;
  if (place.at === 'jobs') return <JobsTrail place={place} />;
  if (place.at === 'memory' || place.at === 'operations') return <MemoryTrail place={place} />;
  if (place.at === 'recall') return <h1 className="trail">Recall</h1>;
  if (place.at === 'search') return <h1 className="trail">Search</h1>;
  if (place.at === 'unknown') return <h1 className="trail">Not found</h1>;
  return (
    <h1 className="trail">
      <PlaceLink place={{ at: 'sessions' }}>Sessions</PlaceLink>
      <span className="dim">/</span>
      <SessionCrumb
        uid={place.uid}
        link={place.at !== 'session'}
        tab={place.at === 'checkpoint' ? 'checkpoints' : 'calls'}
      />
      {place.at === 'call' && <CallCrumb uid={place.uid} callId={place.callId} />}
      {place.at === 'checkpoint' && (
        <>
          <span className="dim">/</span>
          <CheckpointLink uid={place.uid} checkpointId={place.checkpointId} />
        </>
      )}
    </h1>
  );
}

function MemoryTrail({ place }: { readonly place: MemoryPlace | OperationsPlace }) {
  const page = place.at === 'memory' ? place.page : undefined;
  if (place.at === 'memory' && page === undefined) return <h1 className="trail">Memory</h1>;
  return (
    <h1 className="trail">
      <PlaceLink place={{ at: 'memory' }}>Memory</PlaceLink>
      <span className="dim">/</span>
      {page === undefined ? <span>Operations</span> : <PageCrumb key={page} uri={page} />}
    </h1>
  );
}

function PageCrumb({ uri }: { readonly uri: string }) {
  const { stores } = useApp();
  const title = useStore(stores.memory.page(uri), ({ value }) => (value === undefined ? undefined : pageName(value)));
  const name = title ?? nameInUri(uri);
  return (
    <span className="clip" title={name} dir="auto">
      {name}
    </span>
  );
}

interface SessionCrumbProps {
  readonly uid: string;
  readonly link: boolean;
  readonly tab: SessionTab;
}

function SessionCrumb({ uid, link, tab }: SessionCrumbProps) {
  const { stores } = useApp();
  const session = useStore(stores.session(uid).summary, (state) => state.value);
  const name = session === undefined ? uid : sessionName(session);
  if (!link)
    return (
      <span className="clip" title={name}>
        {name}
      </span>
    );
  return (
    <PlaceLink place={{ at: 'session', uid, tab }} className="link clip" title={name}>
      {name}
    </PlaceLink>
  );
}

function CallCrumb({ uid, callId }: { readonly uid: string; readonly callId: string }) {
  const { stores } = useApp();
  const at = useStore(stores.session(uid).call(callId).trace, (state) => state.value?.trace.created_at);
  return (
    <>
      <span className="dim">/</span>
      <span>Call {at === undefined ? callId : <Time iso={at} as="clock" />}</span>
    </>
  );
}

function JobsTrail({ place }: { readonly place: JobsPlace }) {
  const { stores } = useApp();
  const { jobId } = place;
  if (jobId === undefined) return <h1 className="trail">Jobs</h1>;
  return (
    <h1 className="trail">
      <PlaceLink place={{ at: 'jobs' }}>Jobs</PlaceLink>
      <span className="dim">/</span>
      <JobCrumb key={jobId} job={stores.jobs.job(jobId)} />
    </h1>
  );
}

function JobCrumb({ job }: { readonly job: ValueStore<JobDetail> }) {
  const value = useStore(job, (state) => state.value);
  if (value === undefined) return <span>Job</span>;
  return (
    <span className="clip">
      {value.type}, <Time iso={value.created_at} as="clock" />
    </span>
  );
}

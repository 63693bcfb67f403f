import { useStore } from 'zustand';
import { PlaceLink } from '../components/PlaceLink.tsx';
import { Time } from '../components/Time.tsx';
import { useApp } from '../hooks/app-context.ts';
import { sessionName } from '../model/session-name.ts';
import { HelpDialog } from './HelpDialog.tsx';
import { HostLinkChip } from './HostLinkChip.tsx';
import { LiveSwitch } from './LiveSwitch.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';

/** Where one is, at the left; how the engine is, at the right. */
export function TopBar() {
  return (
    <header className="top-bar">
      <Trail />
      <div className="top-tools">
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
  if (place.at === 'unknown') return <h1 className="trail">Not found</h1>;
  return (
    <h1 className="trail">
      <PlaceLink place={{ at: 'sessions' }}>Sessions</PlaceLink>
      <span className="dim">/</span>
      <SessionCrumb uid={place.uid} link={place.at === 'call'} />
      {place.at === 'call' && <CallCrumb uid={place.uid} callId={place.callId} />}
    </h1>
  );
}

function SessionCrumb({ uid, link }: { readonly uid: string; readonly link: boolean }) {
  const { stores } = useApp();
  const session = useStore(stores.session(uid).summary, (state) => state.value);
  const name = session === undefined ? uid : sessionName(session);
  if (!link) return <span className="clip">{name}</span>;
  return (
    <PlaceLink place={{ at: 'session', uid, tab: 'calls' }} className="link clip">
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

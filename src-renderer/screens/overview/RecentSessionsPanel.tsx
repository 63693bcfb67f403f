import { useStore } from 'zustand';
import { HostInternalTag } from '../../components/HostInternalTag.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Time } from '../../components/Time.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { sessionName } from '../../model/session-name.ts';

const shown = 20;

export function RecentSessionsPanel() {
  const { stores } = useApp();
  const items = useStore(stores.sessions, (state) => state.items);
  const total = useStore(stores.sessions, (state) => state.total);
  const error = useStore(stores.sessions, (state) => state.error);
  return (
    <Panel
      title="Recent sessions"
      side={total > shown && <PlaceLink place={{ at: 'sessions' }}>All {formatCount(total)}</PlaceLink>}
    >
      {items.length === 0 && <p className="dim">{error === undefined ? 'No session yet.' : error.message}</p>}
      {items.length > 0 && (
        <table className="plain-table recent-sessions">
          <thead>
            <tr>
              <th scope="col">Session</th>
              <th scope="col">Agent</th>
              <th scope="col" className="right">
                Turns
              </th>
              <th scope="col" className="right">
                Calls
              </th>
              <th scope="col" className="right">
                Last active
              </th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, shown).map((session) => (
              <tr key={session.session_uid}>
                <td className="clip grow" title={sessionName(session)}>
                  {isHostInternal(session) && (
                    <>
                      <HostInternalTag />{' '}
                    </>
                  )}
                  <PlaceLink place={{ at: 'session', uid: session.session_uid, tab: 'calls' }}>
                    {sessionName(session)}
                  </PlaceLink>
                </td>
                <td className="clip soft">{session.agent_id}</td>
                <td className="right num">{formatCount(session.turn_count)}</td>
                <td className="right num">{formatCount(session.call_count)}</td>
                <td className="right">
                  <Time iso={session.last_active_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

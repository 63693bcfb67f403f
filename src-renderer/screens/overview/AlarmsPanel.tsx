import type { Alarm } from '../../../src-shared/model/events.ts';
import { Panel } from '../../components/Panel.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Time } from '../../components/Time.tsx';
import { formatNoun } from '../../model/format-number.ts';

export function AlarmsPanel({ alarms }: { readonly alarms: readonly Alarm[] }) {
  return (
    <Panel title="Alarms" side={alarms.length > 0 && formatNoun(alarms.length, 'alarm')}>
      {alarms.length === 0 ? (
        <p className="dim">
          None. What goes wrong with capture, assembly, memory or the store is shown here, with its remedy.
        </p>
      ) : (
        <ul className="alarms">
          {alarms.map((alarm) => (
            <li key={`${alarm.code} ${alarm.session_uid ?? ''}`} className={`alarm ${alarm.severity}`}>
              <p className="alarm-message">
                <span className="alarm-word">{alarm.severity === 'danger' ? 'Danger' : 'Warning'}</span>
                {alarm.message}
              </p>
              <p className="soft">{alarm.remedy}</p>
              <p className="dim">
                Since <Time iso={alarm.since} as="both" /> · <code>{alarm.code}</code>
                {alarm.code === 'jobs_dead' && (
                  <>
                    {' · '}
                    <PlaceLink place={{ at: 'jobs', state: 'dead' }}>open these jobs</PlaceLink>
                  </>
                )}
                {alarm.code === 'page_unreadable' && (
                  <>
                    {' · '}
                    <PlaceLink place={{ at: 'memory', mark: 'problem' }}>open these files</PlaceLink>
                  </>
                )}
                {(alarm.code === 'index_behind' || alarm.code === 'workspace_failing') && (
                  <>
                    {' · '}
                    <PlaceLink place={{ at: 'memory' }}>open memory</PlaceLink>
                  </>
                )}
                {alarm.session_uid !== undefined && (
                  <>
                    {' · '}
                    <PlaceLink place={{ at: 'session', uid: alarm.session_uid, tab: 'calls' }}>open session</PlaceLink>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

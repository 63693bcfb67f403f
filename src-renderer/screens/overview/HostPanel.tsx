import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { formatAgo } from '../../model/format-time.ts';
import { hostLinkWords } from '../../model/host-link-words.ts';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';

interface Props {
  readonly health: HealthReply;
  /** When these numbers were read, if the daemon does not answer since; ms since the epoch. */
  readonly staleSince: number | undefined;
}

export function HostPanel({ health, staleSince }: Props) {
  const { host } = health;
  const words = hostLinkWords(health);
  const now = useNow();
  return (
    <Panel
      title="Host link"
      side={staleSince !== undefined && `Stale: read ${formatAgo(new Date(staleSince).toISOString(), now)}`}
    >
      <p className={`verdict ${words.tone}`}>
        <span className={`dot ${words.tone}`} aria-hidden="true" /> {words.sentence}
      </p>
      <div className="facts-pair">
        <Facts
          facts={[
            { name: 'Last call of the host', value: <Moment iso={host.last_call_at} label={host.last_call} /> },
            { name: 'Last assemble', value: <Moment iso={host.last_assemble_at} /> },
            { name: 'Last commit', value: <Moment iso={host.last_commit_at} /> },
            { name: 'Last turn seen on the host', value: <Moment iso={host.last_turn_seen_at} /> },
          ]}
        />
        <Facts
          facts={[
            {
              name: 'Turns that went past the engine',
              value: (
                <span className={host.bypassed_turns > 0 ? 'danger num' : 'num'}>
                  {formatCount(host.bypassed_turns)}
                </span>
              ),
            },
            {
              name: 'Turns waiting in the plugin’s spool',
              value: <span className="num">{formatCount(host.spooled_turns)}</span>,
            },
            { name: 'Plugin', value: host.plugin_version ?? <Unknown /> },
            { name: 'Host', value: host.host_version ?? <Unknown /> },
          ]}
        />
      </div>
      <p className="note">
        Watching since <Time iso={health.started_at} as="both" />.{' '}
        {host.spooled_turns > 0 &&
          `${formatNoun(host.spooled_turns, 'turn')} will be delivered by the plugin, in order.`}
      </p>
    </Panel>
  );
}

function Moment({ iso, label }: { readonly iso: string | undefined; readonly label?: string | undefined }) {
  if (iso === undefined) return <span className="dim">never</span>;
  return (
    <>
      {label !== undefined && <span className="soft">{label} </span>}
      <Time iso={iso} />
    </>
  );
}

function Unknown() {
  return <span className="dim">not reported</span>;
}

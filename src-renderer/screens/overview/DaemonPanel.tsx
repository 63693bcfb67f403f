import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { formatBytes, formatCount } from '../../model/format-number.ts';

export function DaemonPanel({ health }: { readonly health: HealthReply }) {
  const { store } = health;
  return (
    <Panel title="Engine and store">
      <div className="facts-pair">
        <Facts
          facts={[
            { name: 'Sessions', value: <span className="num">{formatCount(store.sessions)}</span> },
            { name: 'Turns in the log', value: <span className="num">{formatCount(store.turns)}</span> },
            { name: 'Size on disk', value: <span className="num">{formatBytes(store.size_bytes)}</span> },
            { name: 'Database schema', value: <span className="num">{store.schema_version}</span> },
          ]}
        />
        <Facts
          facts={[
            { name: 'Version', value: health.version },
            { name: 'State', value: health.ready ? 'ready' : <span className="danger">not ready</span> },
            { name: 'Runs as', value: health.mode === 'desktop' ? 'desktop app' : 'headless daemon' },
            {
              name: 'Process',
              value: (
                <span className="num">
                  {health.pid} <span className="dim">since</span> <Time iso={health.started_at} as="clock" />
                </span>
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}

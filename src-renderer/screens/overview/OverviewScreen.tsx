import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { AlarmsPanel } from './AlarmsPanel.tsx';
import { DaemonPanel } from './DaemonPanel.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { HostPanel } from './HostPanel.tsx';
import { NewestCallPanel } from './NewestCallPanel.tsx';
import { RecentSessionsPanel } from './RecentSessionsPanel.tsx';
import './overview.css';

/** Does the host use the engine, is anything wrong, and what happened last. */
export function OverviewScreen() {
  const { stores } = useApp();
  const health = useStore(stores.health, (state) => state.value);
  const error = useStore(stores.health, (state) => state.error);
  const loadedAt = useStore(stores.health, (state) => state.loadedAt);
  useEffect(() => {
    void stores.health.load();
    void stores.sessions.load();
  }, [stores]);
  if (health === undefined) {
    return error === undefined ? (
      <Skeleton label="Reading the state of the daemon" />
    ) : (
      <ErrorState title="The daemon could not be asked" error={error} onRetry={() => void stores.health.refresh()} />
    );
  }
  return (
    <div className="overview" tabIndex={-1}>
      <div className="overview-main">
        {health.host.link === 'never' && health.store.sessions === 0 && <FirstSteps />}
        <HostPanel health={health} staleSince={error === undefined ? undefined : loadedAt} />
        <AlarmsPanel alarms={health.alarms} />
        <DaemonPanel health={health} />
      </div>
      <div className="overview-side">
        <NewestCallPanel />
        <RecentSessionsPanel />
      </div>
    </div>
  );
}

import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from './components/EmptyState.tsx';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { PlaceLink } from './components/PlaceLink.tsx';
import { AppContext, useApp, type AppParts } from './hooks/app-context.ts';
import { useFrameKeys } from './hooks/use-frame-keys.ts';
import { Rail } from './frame/Rail.tsx';
import { TopBar } from './frame/TopBar.tsx';
import './frame/frame.css';
import { CallScreen } from './screens/call/CallScreen.tsx';
import { CheckpointScreen } from './screens/checkpoint/CheckpointScreen.tsx';
import { JobsScreen } from './screens/jobs/JobsScreen.tsx';
import { MemoryScreen } from './screens/memory/MemoryScreen.tsx';
import { OperationsScreen } from './screens/operations/OperationsScreen.tsx';
import { OverviewScreen } from './screens/overview/OverviewScreen.tsx';
import { RecallScreen } from './screens/recall/RecallScreen.tsx';
import { SearchScreen } from './screens/search/SearchScreen.tsx';
import { SessionsScreen } from './screens/sessions/SessionsScreen.tsx';

export function App(parts: AppParts) {
  const { stores, time } = parts;
  useEffect(() => stores.start(), [stores]);
  useEffect(() => time.start(), [time]);
  useEffect(() => void stores.health.load(), [stores]);
  return (
    <AppContext value={parts}>
      <Tooltip.Provider delay={250} closeDelay={0}>
        <Frame />
      </Tooltip.Provider>
    </AppContext>
  );
}

function Frame() {
  useFrameKeys();
  const { navigation } = useApp();
  const at = useStore(navigation, (state) => state.place.at);
  return (
    <div className="frame">
      <Rail />
      <TopBar />
      <main className="content">
        <ErrorBoundary key={at}>
          <Screen />
        </ErrorBoundary>
      </main>
    </div>
  );
}

function Screen() {
  const { navigation } = useApp();
  const place = useStore(navigation, (state) => state.place);
  switch (place.at) {
    case 'overview':
      return <OverviewScreen />;
    case 'sessions':
      return <SessionsScreen />;
    case 'session':
      return <SessionsScreen uid={place.uid} tab={place.tab} turn={place.turn} />;
    case 'call':
      return <CallScreen key={place.uid} place={place} />;
    case 'checkpoint':
      return <CheckpointScreen key={place.uid} place={place} />;
    case 'jobs':
      return <JobsScreen place={place} />;
    case 'memory':
      return <MemoryScreen place={place} />;
    case 'operations':
      return <OperationsScreen place={place} />;
    case 'recall':
      return <RecallScreen place={place} />;
    case 'search':
      return <SearchScreen place={place} />;
    case 'unknown':
      return (
        <EmptyState title="There is nothing at this address">
          <p>
            <code>{place.path}</code> is not a view of the inspector. The link may be from a newer version.
          </p>
          <PlaceLink place={{ at: 'overview' }}>Go to the overview</PlaceLink>
        </EmptyState>
      );
  }
}

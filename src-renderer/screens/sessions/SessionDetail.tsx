import { Tabs } from '@base-ui/react/tabs';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import type { SessionTab } from '../../navigation/place.ts';
import { CheckpointsTab } from '../checkpoints/CheckpointsTab.tsx';
import { TurnsTab } from '../turns/TurnsTab.tsx';
import { CallsTab } from './CallsTab.tsx';
import { SessionHeader } from './SessionHeader.tsx';

interface Props {
  readonly uid: string;
  readonly tab: SessionTab;
  readonly turn?: number | undefined;
}

/** One session: its calls, turns and checkpoints. */
export function SessionDetail({ uid, tab, turn }: Props) {
  const { stores, navigation } = useApp();
  const { summary } = stores.session(uid);
  const session = useStore(summary, (state) => state.value);
  const error = useStore(summary, (state) => state.error);
  useEffect(() => void summary.load(), [summary]);
  if (session === undefined) {
    return error === undefined ? (
      <Skeleton label="Reading the session" />
    ) : (
      <ErrorState title="The session could not be read" error={error} onRetry={() => void summary.refresh()} />
    );
  }
  return (
    <>
      <SessionHeader session={session} />
      <Tabs.Root
        className="tabs"
        value={tab}
        onValueChange={(value: SessionTab) => navigation.step({ at: 'session', uid, tab: value })}
      >
        <Tabs.List className="tab-list" activateOnFocus aria-label="Parts of the session">
          {tabs(session).map(({ value, name, count }) => (
            <Tabs.Tab key={value} value={value} className="tab">
              {name} <span className="num dim">{formatCount(count)}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="calls" className="tab-panel">
          <CallsTab uid={uid} />
        </Tabs.Panel>
        <Tabs.Panel value="turns" className="tab-panel">
          <TurnsTab uid={uid} turn={turn} />
        </Tabs.Panel>
        <Tabs.Panel value="checkpoints" className="tab-panel">
          <CheckpointsTab uid={uid} />
        </Tabs.Panel>
      </Tabs.Root>
    </>
  );
}

function tabs(session: SessionSummary): { value: SessionTab; name: string; count: number }[] {
  return [
    { value: 'calls', name: 'Calls', count: session.call_count },
    { value: 'turns', name: 'Turns', count: session.turn_count },
    { value: 'checkpoints', name: 'Checkpoints', count: session.checkpoint_count },
  ];
}

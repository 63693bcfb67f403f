import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { Command } from '../../components/Command.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { isHostInternal } from '../../model/is-host-internal.ts';
import { matchesSession } from '../../model/matches-session.ts';
import { SessionCard } from './SessionCard.tsx';
import { SessionLine, SessionLineHead } from './SessionLine.tsx';
import './sessions.css';

interface Props {
  /** Every column, for when the list has the whole width. */
  readonly wide?: boolean;
  readonly selected?: string;
}

export function SessionsList({ wide = false, selected }: Props) {
  const { stores, navigation, preferences } = useApp();
  const showInternal = useStore(preferences, ({ hostInternal }) => hostInternal);
  const state = useStore(stores.sessions);
  const [filter, setFilter] = useState('');
  useEffect(() => void stores.sessions.load(), [stores]);
  const listed = useMemo(() => {
    // The one that is open beside the list is never hidden.
    const isListed = (session: SessionSummary) =>
      showInternal || session.session_uid === selected || !isHostInternal(session);
    return state.items.filter(isListed);
  }, [state.items, showInternal, selected]);
  const hidden = state.items.length - listed.length;
  const internal = showInternal ? listed.filter(isHostInternal).length : hidden;
  const shown = useMemo(() => listed.filter((session) => matchesSession(session, filter)), [listed, filter]);
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the sessions" rows={10} />
    ) : (
      <ErrorState
        title="The sessions could not be read"
        error={state.error}
        onRetry={() => void stores.sessions.load()}
      />
    );
  }
  if (state.total === 0) return <NoSessions />;
  const open = (session: SessionSummary) => {
    const place = { at: 'session', uid: session.session_uid, tab: 'calls' } as const;
    if (selected === undefined) navigation.go(place);
    else navigation.step(place);
  };
  return (
    <>
      <div className="list-head">
        <FilterField value={filter} onChange={setFilter} label="Filter sessions" hotKey />
        <span className="list-count num">
          {filter === ''
            ? countWords(state.total - hidden, wide)
            : `${formatCount(shown.length)} of ${formatCount(listed.length)}`}
        </span>
        {internal > 0 && (
          <button
            type="button"
            className="button small"
            aria-pressed={showInternal}
            title="Sessions that the host keeps for work of its own, such as reviews behind a conversation"
            onClick={() => preferences.setHostInternal(!showInternal)}
          >
            <span className="num">{formatCount(internal)}</span>
            {wide ? ' host-internal' : ' internal'}
            {showInternal ? ' shown' : ' hidden'}
          </button>
        )}
      </div>
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void stores.sessions.refresh()} />
      {wide && <SessionLineHead />}
      <VirtualList
        items={shown}
        keyOf={(session) => session.session_uid}
        rowHeight={wide ? 36 : 62}
        label="Sessions"
        selected={selected}
        hotKeys={wide}
        arrived={state.arrived}
        arrivedNoun="active"
        onOpen={open}
        onEnd={state.hasMore && !state.loadingMore ? () => void stores.sessions.loadMore() : undefined}
        renderRow={(session) => (wide ? <SessionLine session={session} /> : <SessionCard session={session} />)}
        foot={
          <Foot
            filtered={filter !== ''}
            shown={shown.length}
            loaded={state.items.length}
            total={state.total}
            loading={state.loadingMore}
          />
        }
      />
    </>
  );
}

function Foot(props: { filtered: boolean; shown: number; loaded: number; total: number; loading: boolean }) {
  if (props.shown === 0)
    return <>{props.filtered ? 'No session matches the filter.' : 'There is no conversation yet.'}</>;
  if (props.loading) return <>Reading more…</>;
  if (props.loaded < props.total)
    return <>{`${formatCount(props.loaded)} of ${formatCount(props.total)} sessions read`}</>;
  return null;
}

/** Beside a detail there is room for the number only. */
function countWords(count: number, wide: boolean): string {
  return wide ? formatNoun(count, 'session') : formatCount(count);
}

function NoSessions() {
  return (
    <EmptyState title="No session yet">
      <p>
        A session is one conversation of an agent. The first turn that OpenClaw sends makes one, and it appears here by
        itself.
      </p>
      <Command text="npm run strata -- openclaw install" />
    </EmptyState>
  );
}

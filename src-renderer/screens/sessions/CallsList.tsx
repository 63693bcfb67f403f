import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { preparationCalls } from '../../model/preparation-calls.ts';
import { CallRow } from './CallRow.tsx';
import { PreparationRow } from './PreparationRow.tsx';

interface Props {
  readonly uid: string;
  readonly onOpen: (call: CallSummary) => void;
  /** Instead of `onOpen`, when one moves beside an open call. */
  readonly onMove?: (call: CallSummary) => void;
  readonly selected?: string;
}

/** The calls of a session, newest first. With one selected it is the list beside that call, and moving opens. */
export function CallsList({ uid, onOpen, onMove, selected }: Props) {
  const { stores } = useApp();
  const { calls } = stores.session(uid);
  const state = useStore(calls);
  const preparations = useMemo(() => preparationCalls(state.items), [state.items]);
  useEffect(() => void calls.load(), [calls]);
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the calls" rows={8} />
    ) : (
      <ErrorState title="The calls could not be read" error={state.error} onRetry={() => void calls.load()} />
    );
  }
  if (state.total === 0) {
    return (
      <EmptyState title="No call yet">
        <p>
          A call is one list of messages that was put together for the model. The agent’s next turn makes one, and it
          appears here by itself.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      {selected !== undefined && (
        <div className="list-head calls-head">
          <PlaceLink place={{ at: 'session', uid, tab: 'calls' }} className="button small plain">
            <Icon name="back" size={14} /> Session
          </PlaceLink>
          <span className="list-count num">{formatNoun(state.total, 'call')}</span>
          <span className="calls-keys dim">
            <kbd>[</kbd> <kbd>]</kbd> older, newer
          </span>
        </div>
      )}
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void calls.refresh()} />
      <VirtualList
        items={state.items}
        keyOf={(call) => call.call_id}
        rowHeight={82}
        label="Calls, newest first"
        selected={selected}
        follow={selected !== undefined}
        hotKeys
        arrived={state.arrived}
        arrivedNoun="above"
        onOpen={onOpen}
        {...(onMove === undefined ? {} : { onMove })}
        onEnd={state.hasMore && !state.loadingMore ? () => void calls.loadMore() : undefined}
        renderRow={(call) =>
          preparations.has(call.call_id) ? (
            <PreparationRow call={call} narrow={selected !== undefined} />
          ) : (
            <CallRow call={call} narrow={selected !== undefined} />
          )
        }
        foot={
          state.items.length < state.total
            ? `${formatCount(state.items.length)} of ${formatCount(state.total)} calls read`
            : undefined
        }
      />
    </>
  );
}

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PlaceLink } from '../../components/PlaceLink.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { CheckpointCard } from './CheckpointCard.tsx';
import { CheckpointRow, CheckpointRowHead } from './CheckpointRow.tsx';
import './checkpoints.css';

interface Props {
  readonly uid: string;
  readonly onOpen: (checkpoint: CheckpointRecord) => void;
  readonly selected?: string;
}

/** The compactions of a session, newest first. With one selected it is the list beside it, and moving opens. */
export function CheckpointsList({ uid, onOpen, selected }: Props) {
  const { stores } = useApp();
  const { checkpoints } = stores.session(uid);
  const state = useStore(checkpoints);
  const byId = useMemo(() => new Map(state.items.map((item) => [item.checkpoint_id, item])), [state.items]);
  useEffect(() => void checkpoints.load(), [checkpoints]);
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the checkpoints" rows={6} />
    ) : (
      <ErrorState
        title="The checkpoints could not be read"
        error={state.error}
        onRetry={() => void checkpoints.load()}
      />
    );
  }
  if (state.total === 0) return <NoCheckpoints />;
  return (
    <>
      {selected !== undefined && (
        <div className="list-head calls-head">
          <PlaceLink place={{ at: 'session', uid, tab: 'checkpoints' }} className="button small plain">
            <Icon name="back" size={14} /> Session
          </PlaceLink>
          <span className="list-count num">{formatNoun(state.total, 'checkpoint')}</span>
        </div>
      )}
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void checkpoints.refresh()} />
      {selected === undefined && <CheckpointRowHead />}
      <VirtualList
        items={state.items}
        keyOf={(checkpoint) => checkpoint.checkpoint_id}
        rowHeight={selected === undefined ? 54 : 84}
        label="Checkpoints, newest first"
        selected={selected}
        follow={selected !== undefined}
        hotKeys
        arrived={state.arrived}
        onOpen={onOpen}
        onEnd={
          state.hasMore && !state.loadingMore && state.error === undefined
            ? () => void checkpoints.loadMore()
            : undefined
        }
        renderRow={(checkpoint) =>
          selected === undefined ? (
            <CheckpointRow checkpoint={checkpoint} successor={byId.get(checkpoint.ended_by ?? '')} />
          ) : (
            <CheckpointCard checkpoint={checkpoint} />
          )
        }
        foot={
          state.items.length < state.total
            ? `${formatCount(state.items.length)} of ${formatCount(state.total)} checkpoints read`
            : undefined
        }
      />
    </>
  );
}

function NoCheckpoints() {
  return (
    <EmptyState title="No checkpoint yet">
      <p>
        A checkpoint is made when older turns are summed up to free room. The turns stay in the log word for word. It
        happens in the background when the context grows, when you type <code>/compact</code> to your agent, or with the
        button above.
      </p>
    </EmptyState>
  );
}

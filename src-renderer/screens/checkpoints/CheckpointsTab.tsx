import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { CheckpointRow, CheckpointRowHead } from './CheckpointRow.tsx';
import './checkpoints.css';

/** The compactions of a session, newest first. */
export function CheckpointsTab({ uid }: { readonly uid: string }) {
  const { stores } = useApp();
  const { checkpoints } = stores.session(uid);
  const state = useStore(checkpoints);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
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
  if (state.total === 0) {
    return (
      <EmptyState title="No checkpoint yet">
        <p>
          A checkpoint is made when older turns are summed up to free room. The turns stay in the log word for word. It
          happens when the context fills up, or when you type <code>/compact</code> to your agent.
        </p>
      </EmptyState>
    );
  }
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <>
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void checkpoints.refresh()} />
      <CheckpointRowHead />
      <VirtualList
        items={state.items}
        keyOf={(checkpoint) => checkpoint.checkpoint_id}
        rowHeight={44}
        label="Checkpoints, newest first"
        hotKeys
        expanded={open}
        arrived={state.arrived}
        onOpen={(checkpoint) => toggle(checkpoint.checkpoint_id)}
        onEnd={state.hasMore && !state.loadingMore ? () => void checkpoints.loadMore() : undefined}
        renderRow={(checkpoint) => <CheckpointRow checkpoint={checkpoint} open={open.has(checkpoint.checkpoint_id)} />}
        foot={
          state.items.length < state.total
            ? `${formatCount(state.items.length)} of ${formatCount(state.total)} checkpoints read`
            : undefined
        }
      />
    </>
  );
}

import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import type { OperationFilter } from '../../stores/create-memory-stores.ts';
import { OperationRow } from './OperationRow.tsx';
import './operations.css';

interface Props {
  readonly filter: OperationFilter;
  /** What an empty list says. */
  readonly empty: ReactNode;
  /** Id of the operation that is open, where the address keeps it. */
  readonly open?: string | undefined;
  readonly onOpen?: (id: string | undefined) => void;
}

/** Judgements about memory, newest first, each opened in place. */
export function OperationsList({ filter, empty, open, onOpen }: Props) {
  const { stores } = useApp();
  const operations = stores.memory.operations(filter);
  const state = useStore(operations);
  const [own, setOwn] = useState<string>();
  const shown = onOpen === undefined ? own : open;
  const toggle = (id: string) => (onOpen ?? setOwn)(id === shown ? undefined : id);
  useEffect(() => void operations.load(), [operations]);
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the operations" rows={8} />
    ) : (
      <ErrorState title="The operations could not be read" error={state.error} onRetry={() => void operations.load()} />
    );
  }
  if (state.items.length === 0) return <EmptyState title="No operation">{empty}</EmptyState>;
  return (
    <>
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void operations.refresh()} />
      <VirtualList
        items={state.items}
        keyOf={(operation) => operation.operation_id}
        rowHeight={60}
        label="Operations, newest first"
        selected={shown}
        reveal
        hotKeys
        expanded={new Set(shown === undefined ? [] : [shown])}
        arrived={state.arrived}
        onOpen={(operation) => toggle(operation.operation_id)}
        onEnd={
          state.hasMore && !state.loadingMore && state.error === undefined
            ? () => void operations.loadMore()
            : undefined
        }
        renderRow={(operation) => <OperationRow operation={operation} open={operation.operation_id === shown} />}
        foot={
          state.items.length < state.total
            ? `${formatCount(state.items.length)} of ${formatCount(state.total)} operations read`
            : undefined
        }
      />
    </>
  );
}

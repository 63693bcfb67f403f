import { useEffect } from 'react';
import { useStore } from 'zustand';
import { SplitPane } from '../../components/SplitPane.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import type { MemoryPlace } from '../../navigation/memory-place.ts';
import { MemoryEmpty } from './MemoryEmpty.tsx';
import { MemoryOverview } from './MemoryOverview.tsx';
import { MemoryTree } from './MemoryTree.tsx';
import { PageDetail } from './PageDetail.tsx';
import './memory.css';

/** Every file of the workspace; the chosen one opens beside the tree. */
export function MemoryScreen({ place }: { readonly place: MemoryPlace }) {
  const { stores } = useApp();
  const isEmpty = useStore(stores.memory.list, (state) => state.loadedAt !== undefined && state.total === 0);
  useEffect(() => void stores.memory.list.load(), [stores]);
  useUnsavedWarning();
  if (isEmpty && place.page === undefined) return <MemoryEmpty />;
  return (
    <SplitPane
      name="memory"
      initial={360}
      min={260}
      max={640}
      list={<MemoryTree place={place} />}
      detail={
        place.page === undefined ? (
          <MemoryOverview place={place} />
        ) : (
          <PageDetail key={place.page} place={place} uri={place.page} />
        )
      }
    />
  );
}

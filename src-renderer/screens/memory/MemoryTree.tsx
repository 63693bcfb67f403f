import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { pageMatcher } from '../../model/matches-page.ts';
import { foldersAbove, memoryTree, treeRows, type TreeRow } from '../../model/memory-tree.ts';
import type { MemoryPlace } from '../../navigation/memory-place.ts';
import { MemoryFilters } from './MemoryFilters.tsx';
import { TreeLine } from './TreeLine.tsx';

/** The workspace by owner and folder. Moving opens pages; the arrows to the sides open and close folders. */
export function MemoryTree({ place }: { readonly place: MemoryPlace }) {
  const { stores, navigation } = useApp();
  const { list } = stores.memory;
  const state = useStore(list);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { kind, mark, page: selected } = place;
  // Typing stays smooth while 20,000 pages are looked through.
  const find = useDeferredValue(place.find);
  const pages = useMemo(
    () =>
      find === undefined && kind === undefined && mark === undefined
        ? state.pages
        : state.pages.filter(pageMatcher({ find, kind, mark })),
    [state.pages, find, kind, mark],
  );
  const trees = useMemo(() => memoryTree(pages), [pages]);
  const rows = useMemo(() => treeRows(trees, closed), [trees, closed]);
  useOpenedAround(selected, closed, setClosed);

  const fold = (row: TreeRow, open: boolean) => {
    if (row.type !== 'folder' || row.open === open) return;
    const next = new Set(closed);
    if (open) next.delete(row.key);
    else next.add(row.key);
    setClosed(next);
  };
  const show = (row: TreeRow, isMove: boolean) => {
    if (row.type !== 'page') return;
    const { view: _view, version: _version, ...rest } = place;
    const next = { ...rest, page: row.page.uri };
    if (isMove || selected !== undefined) navigation.step(next);
    else navigation.go(next);
  };
  return (
    <>
      <MemoryFilters place={place} pages={state.pages} shown={pages.length} />
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void list.refresh()} />
      {state.loadedAt === undefined && state.pages.length === 0 ? (
        state.error === undefined ? (
          <Skeleton label="Reading the files" rows={12} />
        ) : (
          <ErrorState title="The files could not be read" error={state.error} onRetry={() => void list.refresh()} />
        )
      ) : rows.length === 0 ? (
        <EmptyState title="No file matches">
          <p>{formatCount(state.pages.length)} files are hidden by the filter.</p>
          <button
            type="button"
            className="button"
            onClick={() => navigation.step({ at: 'memory', ...(selected === undefined ? {} : { page: selected }) })}
          >
            Show all files
          </button>
        </EmptyState>
      ) : (
        <VirtualList
          items={rows}
          keyOf={(row) => row.key}
          rowHeight={32}
          label="Files by owner and folder"
          selected={selected}
          follow
          reveal
          hotKeys
          nodeOf={(row) => ({ level: row.level, open: row.type === 'folder' ? row.open : undefined })}
          onFold={fold}
          onOpen={(row) => (row.type === 'folder' ? fold(row, !row.open) : show(row, false))}
          onMove={(row) => show(row, true)}
          renderRow={(row) => <TreeLine row={row} />}
          foot={
            state.status === 'loading'
              ? `Reading, ${formatCount(state.pages.length)} of ${formatCount(state.total)} files…`
              : undefined
          }
        />
      )}
    </>
  );
}

/** Opens the folders above a page that an address or a link leads to, once. */
function useOpenedAround(
  selected: string | undefined,
  closed: ReadonlySet<string>,
  setClosed: (closed: ReadonlySet<string>) => void,
): void {
  const { stores } = useApp();
  const [shown, setShown] = useState<string>();
  const head = useStore(stores.memory.list, ({ pages }) => pages.find(({ uri }) => uri === selected));
  if (head === undefined || head.uri === shown) return;
  setShown(head.uri);
  const above = foldersAbove(head);
  if (above.some((key) => closed.has(key))) setClosed(new Set([...closed].filter((key) => !above.includes(key))));
}

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { PageVersion } from '../../../src-shared/model/memory-page.ts';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { Time } from '../../components/Time.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatBytes, formatCount } from '../../model/format-number.ts';
import { authorWord, changeWord } from '../../model/page-words.ts';
import type { MemoryPlace } from '../../navigation/memory-place.ts';
import { VersionChange } from './VersionChange.tsx';

interface Props {
  readonly place: MemoryPlace;
  readonly page: PageReply;
}

/** Every version with its author; the chosen one as what it changed, to be restored. */
export function PageHistory({ place, page }: Props) {
  const { stores, navigation } = useApp();
  const history = stores.memory.history(page.uri);
  const state = useStore(history);
  useEffect(() => void history.load(), [history]);
  const chosen = useMemo(
    () => state.items.find((item) => item.version === place.version) ?? state.items[0],
    [state.items, place.version],
  );
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the history" rows={6} />
    ) : (
      <ErrorState title="The history could not be read" error={state.error} onRetry={() => void history.load()} />
    );
  }
  if (chosen === undefined) {
    return (
      <EmptyState title="No version is kept yet">
        <p>A version is kept whenever the file is written: here, by the agent, or with any editor.</p>
      </EmptyState>
    );
  }
  const open = (version: PageVersion) =>
    navigation.step({ ...place, at: 'memory', page: page.uri, view: 'history', version: version.version });
  const index = state.items.indexOf(chosen);
  return (
    <div className="history">
      <div className="history-list">
        <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void history.refresh()} />
        <VirtualList
          items={state.items}
          keyOf={(version) => String(version.version)}
          rowHeight={56}
          label="Versions, newest first"
          selected={String(chosen.version)}
          follow
          arrived={state.arrived}
          onOpen={open}
          onEnd={
            state.hasMore && !state.loadingMore && state.error === undefined ? () => void history.loadMore() : undefined
          }
          renderRow={(version) => <VersionCard version={version} />}
          foot={
            state.items.length < state.total
              ? `${formatCount(state.items.length)} of ${formatCount(state.total)} versions read`
              : undefined
          }
        />
      </div>
      <VersionChange
        key={chosen.version}
        page={page}
        version={chosen}
        before={state.items[index + 1]?.version}
        isNewest={index === 0}
      />
    </div>
  );
}

function VersionCard({ version }: { readonly version: PageVersion }) {
  return (
    <div className="version-card">
      <div className="card-line">
        <span className="clip">
          <span className="num strong">{formatCount(version.version)}</span> {authorWord(version.author)}{' '}
          {changeWord(version.change)} {version.change === 'deleted' ? '' : 'it'}
        </span>
        <span className="card-time">
          <Time iso={version.at} />
        </span>
      </div>
      <div className="card-line small soft">
        <span className="clip" dir="auto">
          {version.reason ?? <span className="dim">no reason given</span>}
        </span>
        <span className="num dim">{formatBytes(version.size)}</span>
      </div>
    </div>
  );
}

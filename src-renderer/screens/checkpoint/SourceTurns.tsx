import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import type { TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { turnSays } from '../../model/turn-search.ts';
import type { PagedState } from '../../stores/create-paged-store.ts';
import type { CheckpointPlace } from '../../navigation/place.ts';
import { SourceTurnRow } from './SourceTurnRow.tsx';

interface Props {
  readonly place: CheckpointPlace;
  readonly checkpoint: CheckpointRecord;
}

/** A filter reads so many turns by itself; the rest only when asked for. */
const searchedByItself = 20_000;
/** The engine lists so many uncovered turns at most. */
const longestList = 2_000;

/** The turns that a summary stands for, word for word; those that it does not speak of are marked. */
export function SourceTurns({ place, checkpoint }: Props) {
  const { stores, navigation } = useApp();
  const { start_sequence: from, end_sequence: to } = checkpoint.source_turn_range;
  const range = stores.session(place.uid).range(from, to);
  const state = useStore(range);
  const [text, setText] = useState(place.find ?? '');
  const sought = useDeferredValue(text.trim());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const uncovered = useMemo(() => new Set(checkpoint.uncovered_sequences), [checkpoint.uncovered_sequences]);
  const only = place.uncovered === true && uncovered.size > 0;
  const isFiltered = only || sought !== '';
  useEffect(() => void range.load(), [range]);
  useEffect(() => {
    if (isFiltered) void range.loadUntil(searchedByItself);
  }, [range, isFiltered]);
  const shown = useMemo(
    () =>
      isFiltered
        ? state.items.filter(
            (record) => (!only || uncovered.has(record.turn.sequence)) && (sought === '' || turnSays(record, sought)),
          )
        : state.items,
    [state.items, isFiltered, only, sought, uncovered],
  );
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the turns" rows={8} />
    ) : (
      <ErrorState title="The turns could not be read" error={state.error} onRetry={() => void range.load()} />
    );
  }
  const toggle = (record: TurnRecord) => {
    const next = new Set(open);
    if (!next.delete(record.turn.turn_id)) next.add(record.turn.turn_id);
    setOpen(next);
  };
  const showOnly = (next: boolean) => {
    const { at, uid, checkpointId, find } = place;
    navigation.step({
      ...{ at, uid, checkpointId, view: 'turns' },
      ...(find === undefined ? {} : { find }),
      ...(next ? { uncovered: true } : {}),
    });
  };
  return (
    <>
      <div className="pane-tools">
        <FilterField value={text} onChange={setText} label="Find in these turns" hotKey />
        {uncovered.size > 0 && (
          <button
            type="button"
            className="button small"
            aria-pressed={only}
            title="Turns that nothing in the summary speaks of, judged by their words. A paraphrase counts as uncovered"
            onClick={() => showOnly(!only)}
          >
            Only uncovered{' '}
            <span className="num">
              {formatCount(uncovered.size)}
              {uncovered.size >= longestList && ' or more'}
            </span>
          </button>
        )}
        <span className="list-count num">{countWords(state, shown.length, isFiltered)}</span>
      </div>
      {place.uncovered === true && uncovered.size === 0 && (
        <p className="notice none-uncovered">Every turn is spoken of in the summary; all are shown.</p>
      )}
      <StaleNotice error={state.error} loadedAt={state.loadedAt} onRetry={() => void range.loadMore()} />
      <VirtualList
        key={String(only)}
        items={shown}
        keyOf={(record) => record.turn.turn_id}
        rowHeight={34}
        label="Turns of the checkpoint, oldest first"
        expanded={open}
        onOpen={toggle}
        onEnd={
          !isFiltered && state.hasMore && !state.loadingMore && state.error === undefined
            ? () => void range.loadMore()
            : undefined
        }
        renderRow={(record) => (
          <SourceTurnRow
            uid={place.uid}
            record={record}
            sought={sought}
            uncovered={uncovered.has(record.turn.sequence)}
            open={open.has(record.turn.turn_id)}
          />
        )}
        foot={<Foot state={state} shown={shown.length} isFiltered={isFiltered} onMore={() => void range.loadMore()} />}
      />
    </>
  );
}

function countWords({ items, total }: PagedState<TurnRecord>, shown: number, isFiltered: boolean): string {
  if (isFiltered) return `${formatCount(shown)} of ${formatNoun(items.length, 'turn')} read`;
  return items.length < total
    ? `${formatCount(items.length)} of ${formatCount(total)} read`
    : formatNoun(total, 'turn');
}

interface FootProps {
  readonly state: PagedState<TurnRecord>;
  readonly shown: number;
  readonly isFiltered: boolean;
  readonly onMore: () => void;
}

function Foot({ state, shown, isFiltered, onMore }: FootProps) {
  if (state.loadingMore) return <>Reading more…</>;
  if (!isFiltered) return state.total === 0 ? <>The log has no turn of this range.</> : null;
  if (state.hasMore) {
    return (
      <>
        {formatCount(state.items.length)} of {formatNoun(state.total, 'turn')} were searched.{' '}
        <button type="button" className="button small" onClick={onMore}>
          Search more
        </button>
      </>
    );
  }
  return shown === 0 ? <>No turn of this range matches.</> : null;
}

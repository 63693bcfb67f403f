import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StaleNotice } from '../../components/StaleNotice.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useApp } from '../../hooks/app-context.ts';
import { formatCount } from '../../model/format-number.ts';
import { turnEntries } from '../../model/turn-entries.ts';
import type { TurnOrder } from '../../stores/create-session-stores.ts';
import { TurnRow, TurnRowHead } from './TurnRow.tsx';
import './turns.css';

interface Props {
  readonly uid: string;
  /** Sequence of a turn that something else leads to: the log is then read around it. */
  readonly turn?: number | undefined;
}

/** So many turns before the one that is looked for, and so many after it. */
const around = { before: 20, after: 180 };

/** The lossless log of a session. */
export function TurnsTab({ uid, turn }: Props) {
  const { stores, navigation } = useApp();
  const [order, setOrder] = useState<TurnOrder>('desc');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const session = stores.session(uid);
  const turns =
    turn === undefined ? session.turns(order) : session.range(Math.max(1, turn - around.before), turn + around.after);
  const state = useStore(turns);
  const entries = useMemo(() => turnEntries(state.items), [state.items]);
  const wanted = useMemo(
    () => state.items.find((record) => record.turn.sequence === turn)?.turn.turn_id,
    [state.items, turn],
  );
  // What an address leads to is opened once; it can be closed again.
  const [opened, setOpened] = useState<string>();
  if (wanted !== undefined && wanted !== opened) {
    setOpened(wanted);
    setOpen(new Set([...open, wanted]));
  }
  useEffect(() => void turns.load(), [turns]);
  if (state.loadedAt === undefined) {
    return state.error === undefined ? (
      <Skeleton label="Reading the turns" rows={10} />
    ) : (
      <ErrorState title="The turns could not be read" error={state.error} onRetry={() => void turns.load()} />
    );
  }
  if (state.total === 0) {
    return (
      <EmptyState title="No turn stored yet">
        <p>
          Every message that reaches or leaves the model is stored here word for word, before anything else happens.
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
      <div className="list-head">
        {turn === undefined ? (
          <>
            <div className="filter-set" role="group" aria-label="Order">
              <OrderButton order="desc" now={order} onChange={setOrder} label="Newest first" />
              <OrderButton order="asc" now={order} onChange={setOrder} label="Oldest first" />
            </div>
            <span className="list-count num">
              {formatCount(state.items.length)} of {formatCount(state.total)} turns read
              {state.hasMore && ', more as you scroll'}
            </span>
          </>
        ) : (
          <>
            <button
              type="button"
              className="button small"
              onClick={() => navigation.step({ at: 'session', uid, tab: 'turns' })}
            >
              Show all turns
            </button>
            <span className="list-count num">
              {wanted === undefined && 'not in the log: '}turn {formatCount(turn)} and those around it
            </span>
          </>
        )}
      </div>
      <StaleNotice
        error={state.error}
        loadedAt={state.loadedAt}
        onRetry={() => void (state.hasMore ? turns.loadMore() : turns.refresh())}
      />
      <TurnRowHead />
      <VirtualList
        key={turn ?? order}
        items={entries}
        keyOf={(entry) => entry.key}
        rowHeight={36}
        label="Turns"
        hotKeys
        expanded={open}
        {...(turn === undefined ? {} : { selected: wanted, reveal: true })}
        arrived={state.arrived}
        onOpen={(entry) => entry.type === 'turn' && toggle(entry.key)}
        onEnd={
          state.hasMore && !state.loadingMore && state.error === undefined ? () => void turns.loadMore() : undefined
        }
        renderRow={(entry) =>
          entry.type === 'reset' ? (
            <p className="epoch-line">
              Reset here: epoch {entry.epoch} began. What is{' '}
              {order === 'desc' && turn === undefined ? 'below' : 'above'} stays in the log and out of the context.
            </p>
          ) : (
            <TurnRow uid={uid} record={entry.record} open={open.has(entry.key)} />
          )
        }
        foot={state.loadingMore ? 'Reading more…' : undefined}
      />
    </>
  );
}

interface OrderProps {
  readonly order: TurnOrder;
  readonly now: TurnOrder;
  readonly onChange: (order: TurnOrder) => void;
  readonly label: string;
}

function OrderButton({ order, now, onChange, label }: OrderProps) {
  return (
    <button type="button" className="button small" aria-pressed={order === now} onClick={() => onChange(order)}>
      {label}
    </button>
  );
}

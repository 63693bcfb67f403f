import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '../../../src-shared/model/trace.ts';
import { useApp } from '../../hooks/app-context.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useVirtualRows } from '../../hooks/use-virtual-rows.ts';
import { callColumns, type CallColumn } from '../../model/call-columns.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { formatTime } from '../../model/format-time.ts';
import { BudgetColumn } from './BudgetColumn.tsx';
import './BudgetChart.css';

interface Props {
  readonly uid: string;
  readonly onOpen: (call: CallSummary) => void;
}

const widths = [6, 12, 24, 48] as const;

/**
 * The budget over time: one column per call, the newest at the right. Drawn with the same bars as everywhere, because each
 * column is something to move to, to read aloud and to open.
 */
export function BudgetChart({ uid, onOpen }: Props) {
  const { stores } = useApp();
  const { calls, checkpoints } = stores.session(uid);
  const state = useStore(calls);
  const marks = useStore(checkpoints, ({ items }) => items);
  useEffect(() => void checkpoints.load(), [checkpoints]);
  const { columns, top } = useMemo(() => callColumns(state.items, marks), [state.items, marks]);
  const [zoom, setZoom] = useState(1);
  const width = widths[zoom] ?? 12;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows({
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => width,
    getItemKey: (index) => columns[index]?.call.call_id ?? index,
    horizontal: true,
    isRtl: true,
    overscan: 20,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, width]);
  const id = useId();
  const [active, setActive] = useState(0);
  const shownColumns = virtualizer.getVirtualItems();
  const oldest = shownColumns.at(-1)?.index ?? 0;
  const { hasMore, loadingMore, error } = state;
  useEffect(() => {
    if (oldest >= columns.length - 5 && hasMore && !loadingMore && error === undefined) void calls.loadMore();
  }, [calls, oldest, columns.length, hasMore, loadingMore, error]);
  // One column shows nothing that its own bar does not.
  if (columns.length < 2) return null;
  const move = (to: number) => {
    const index = Math.max(0, Math.min(columns.length - 1, to));
    setActive(index);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => move(active + 1),
      ArrowRight: () => move(active - 1),
      Home: () => move(columns.length - 1),
      End: () => move(0),
      Enter: () => columns[active] !== undefined && onOpen(columns[active].call),
    };
    const action = keys[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  return (
    <section className="budget-chart" aria-label="Budget over time">
      <header className="budget-chart-head">
        <h3>Budget over time</h3>
        <ColumnWords column={columns[active]} />
        <span className="list-count num">
          {formatNoun(columns.length, 'call')}
          {state.items.length < state.total && ` of ${formatCount(state.total)}`}
        </span>
        <span className="step-buttons">
          <ZoomButton label="Narrower columns" sign="−" to={zoom - 1} onZoom={setZoom} />
          <ZoomButton label="Wider columns" sign="+" to={zoom + 1} onZoom={setZoom} />
        </span>
      </header>
      <div className="budget-chart-body">
        <span className="budget-chart-top num dim">{formatCount(top)}</span>
        <div
          ref={scroller}
          className="budget-chart-scroller"
          dir="rtl"
          role="listbox"
          aria-orientation="horizontal"
          aria-label="Budget over time, one column per call, the newest at the right"
          aria-activedescendant={`${id}-${active}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <div className="budget-chart-space" style={{ width: virtualizer.getTotalSize() }}>
            {shownColumns.map((place) => {
              const column = columns[place.index];
              return column === undefined ? null : (
                <BudgetColumn
                  key={place.key}
                  id={`${id}-${place.index}`}
                  column={column}
                  right={place.start}
                  width={width}
                  active={place.index === active}
                  position={place.index + 1}
                  total={columns.length}
                  onPoint={() => setActive(place.index)}
                  onOpen={() => onOpen(column.call)}
                />
              );
            })}
          </div>
        </div>
      </div>
    </section>
  );
}

/** The column that is pointed at, in words. */
function ColumnWords({ column }: { readonly column: CallColumn | undefined }) {
  const now = useNow();
  if (column === undefined) return null;
  const { call, compactions } = column;
  return (
    <span className="clip soft num">
      {formatTime(call.created_at, now)} · ≈ {formatCount(call.estimated_tokens)} of {formatCount(call.token_budget)}
      {column.provider !== undefined && ` · provider ${formatCount(call.usage?.prompt_tokens ?? 0)}`}
      {compactions.length > 0 && ` · after ${formatNoun(compactions.length, 'compaction')}`}
    </span>
  );
}

interface ZoomProps {
  readonly label: string;
  readonly sign: string;
  readonly to: number;
  readonly onZoom: (zoom: number) => void;
}

function ZoomButton({ label, sign, to, onZoom }: ZoomProps) {
  return (
    <button
      type="button"
      className="button small"
      aria-label={label}
      title={label}
      disabled={to < 0 || to >= widths.length}
      onClick={() => onZoom(to)}
    >
      {sign}
    </button>
  );
}

import { useTable, type ColumnFiltersState, type SortingState } from '@tanstack/react-table';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { DecisionAction, SegmentKind } from '../../../src-shared/model/trace.ts';
import { useOffsetWithin } from '../../hooks/use-offset-within.ts';
import { useVirtualRows } from '../../hooks/use-virtual-rows.ts';
import { countDecisions, type DecisionRow } from '../../model/decision-rows.ts';
import { formatCount } from '../../model/format-number.ts';
import { columnMeanings, decisionColumns, decisionFeatures, decisionFilter } from './decision-columns.tsx';
import { DecisionDetail } from './DecisionDetail.tsx';
import { DecisionFilters } from './DecisionFilters.tsx';

interface Props {
  readonly uid: string;
  readonly callId: string;
  readonly rows: readonly DecisionRow[];
  /** `seq` of the decision that is open. */
  readonly step: number | undefined;
  readonly onStep: (step: number | undefined) => void;
  readonly scroller: HTMLElement | null;
}

const rowHeight = 44;

/** Every decision of a call: sorted, filtered, searched, and each opened to the message it is about. */
export function DecisionsTable({ uid, callId, rows, step, onStep, scroller }: Props) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const [text, setText] = useState('');
  const [actions, setActions] = useState<ReadonlySet<DecisionAction>>(new Set());
  const [kinds, setKinds] = useState<ReadonlySet<SegmentKind>>(new Set());
  const hasScores = useMemo(() => rows.some((row) => row.scores !== ''), [rows]);
  const counts = useMemo(() => countDecisions(rows), [rows]);
  const columnFilters = useMemo<ColumnFiltersState>(
    () => [
      { id: 'action', value: actions },
      { id: 'kind', value: kinds },
    ],
    [actions, kinds],
  );
  const table = useTable({
    features: decisionFeatures,
    columns: decisionColumns,
    data: rows,
    getRowId: (row) => String(row.decision.seq),
    state: { sorting, columnFilters, globalFilter: text },
    onSortingChange: setSorting,
    globalFilterFn: decisionFilter,
    getColumnCanGlobalFilter: () => true,
  });
  const shown = table.getRowModel().rows;
  const columns = table.getHeaderGroups()[0]?.headers.filter((header) => hasScores || header.column.id !== 'score');
  const [body, top] = useOffsetWithin(scroller);
  const virtualizer = useVirtualRows({
    count: shown.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => shown[index]?.id ?? index,
    scrollMargin: top,
    // The sticky filters and column names cover this much of the scroller.
    scrollPaddingStart: 76,
    overscan: 10,
  });
  const id = useId();
  const [active, setActive] = useState(step);
  // What was opened by hand stays where it is; what an address opened is brought into view.
  const inView = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (step === inView.current || scroller === null || top === 0) return;
    const index = shown.findIndex((row) => row.original.decision.seq === step);
    if (index < 0) return;
    inView.current = step;
    virtualizer.scrollToIndex(index, { align: 'start' });
  }, [step, scroller, top, shown, virtualizer]);
  const toggle = (seq: number) => {
    inView.current = seq;
    setActive(seq);
    onStep(seq === step ? undefined : seq);
  };
  const move = (to: (index: number) => number) => {
    const from = shown.findIndex((row) => row.original.decision.seq === active);
    const index = Math.max(0, Math.min(shown.length - 1, to(from)));
    const row = shown[index];
    if (row === undefined) return;
    setActive(row.original.decision.seq);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      ArrowDown: () => move((index) => index + 1),
      ArrowUp: () => move((index) => index - 1),
      Home: () => move(() => 0),
      End: () => move(() => shown.length - 1),
      Enter: () => active !== undefined && toggle(active),
      ' ': () => active !== undefined && toggle(active),
    };
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  return (
    <div className={`decisions${hasScores ? ' with-scores' : ''}`}>
      <div className="decisions-sticky">
        <DecisionFilters
          {...{ text, setText, actions, setActions, kinds, setKinds, counts }}
          shown={shown.length}
          total={rows.length}
        />
        <div className="decision-line head">
          {columns?.map((header) => {
            const sorted = header.column.getIsSorted();
            return (
              <button
                key={header.id}
                type="button"
                className={`column-head column-${header.column.id}`}
                title={columnMeanings[header.column.id]}
                aria-label={`Sort by ${String(header.column.columnDef.header)}${sorted === false ? '' : `, now ${sorted === 'asc' ? 'ascending' : 'descending'}`}`}
                onClick={header.column.getToggleSortingHandler()}
              >
                <table.FlexRender header={header} />
                <span aria-hidden="true">{sorted === false ? '' : sorted === 'asc' ? ' ↑' : ' ↓'}</span>
              </button>
            );
          })}
        </div>
      </div>
      {step !== undefined && !rows.some((row) => row.decision.seq === step) && (
        <p className="note">
          This call has no decision {formatCount(step)}; “#” numbers the {formatCount(rows.length)} that it has.
        </p>
      )}
      <div
        ref={body}
        className="decisions-body"
        role="treegrid"
        aria-label="Decisions"
        aria-rowcount={shown.length}
        tabIndex={0}
        aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
        onKeyDown={onKeyDown}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((place) => {
          const row = shown[place.index];
          if (row === undefined) return null;
          const { seq, action } = row.original.decision;
          const open = seq === step;
          return (
            <div
              key={place.key}
              id={`${id}-${seq}`}
              ref={virtualizer.measureElement}
              data-index={place.index}
              className={`decision ${action}${open ? ' open' : ''}${seq === active ? ' active' : ''}`}
              style={{ transform: `translateY(${place.start - top}px)` }}
            >
              <div
                className="decision-line"
                role="row"
                aria-level={1}
                aria-rowindex={place.index + 1}
                aria-expanded={open}
                onClick={() => toggle(seq)}
              >
                {row.getAllCells().map((cell) =>
                  hasScores || cell.column.id !== 'score' ? (
                    <div key={cell.id} role="gridcell" className={`cell column-${cell.column.id}`}>
                      <table.FlexRender cell={cell} />
                    </div>
                  ) : null,
                )}
              </div>
              {open && <DecisionDetail uid={uid} callId={callId} row={row.original} />}
            </div>
          );
        })}
      </div>
      {shown.length === 0 && (
        <p className="decisions-none">
          {rows.length === 0
            ? 'This call had no candidates.'
            : `No decision matches the filter; ${formatCount(rows.length)} are hidden.`}
        </p>
      )}
    </div>
  );
}

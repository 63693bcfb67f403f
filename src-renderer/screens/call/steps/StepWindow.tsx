import { memo } from 'react';
import { KindMark } from '../../../components/KindMark.tsx';
import { VirtualList } from '../../../components/VirtualList.tsx';
import type { DecisionRow } from '../../../model/decision-rows.ts';
import { formatCount, formatNoun } from '../../../model/format-number.ts';
import type { StepFold, StepState } from '../../../model/step-fold.ts';

interface Props {
  /** The window so far, in the order in which it is sent. */
  readonly rows: readonly DecisionRow[];
  readonly state: StepState;
  readonly fold: StepFold;
  readonly onGo: (index: number) => void;
}

const keyOf = (row: DecisionRow): string => String(row.decision.seq);

/** The window as it was after the step; what the step put in is marked. */
export function StepWindow({ rows, state, fold, onGo }: Props) {
  return (
    <section className="step-window" aria-label="Window so far">
      <header className="step-head">
        <h3>Window so far</h3>
        <span className="num dim">
          {formatNoun(rows.length, 'item')} · ≈ {formatNoun(state.taken, 'token')}
        </span>
      </header>
      {rows.length === 0 ? (
        <p className="note step-empty">Empty: nothing was taken up to this step.</p>
      ) : (
        <VirtualList
          items={rows}
          keyOf={keyOf}
          rowHeight={29}
          label="Window so far, in the order in which it is sent"
          selected={keyOf(state.row)}
          reveal
          onOpen={(row) => onGo(fold.indexOf(row.decision.seq))}
          renderRow={(row) => <WindowLine row={row} />}
        />
      )}
    </section>
  );
}

const WindowLine = memo(function WindowLine({ row }: { readonly row: DecisionRow }) {
  const { item, decision } = row;
  return (
    <div className="step-line">
      {item === undefined ? <span /> : <KindMark kind={item.kind} name={false} />}
      <span className="clip">
        <span className="role">{item?.role ?? ''}</span> <span className="num dim">{row.label}</span>{' '}
        <span className="soft">{item?.preview ?? ''}</span>
      </span>
      <span className="num">{formatCount(decision.tokens_after)}</span>
    </div>
  );
});

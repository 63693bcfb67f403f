import type { CSSProperties } from 'react';
import type { SegmentKind } from '../../src-shared/model/trace.ts';
import { formatCount, formatShare } from '../model/format-number.ts';
import { layoutBudgetBar, type BudgetBarLayout } from '../model/layout-budget-bar.ts';
import { segmentKindWords } from '../model/segment-kinds.ts';
import './BudgetBar.css';

interface Props {
  readonly used: { readonly [K in SegmentKind]?: number | undefined };
  readonly budget: number;
  readonly size?: 'row' | 'large';
  /** The kind that something else on the page points at. */
  readonly lit?: SegmentKind | undefined;
  readonly onHover?: (kind: SegmentKind | undefined) => void;
}

/** One call's budget as a stacked bar: segments in reading order, free space, and what went over. */
export function BudgetBar({ used, budget, size = 'row', lit, onHover }: Props) {
  const layout = layoutBudgetBar(used, budget);
  return (
    <div
      className={`budget-bar ${size}${lit === undefined ? '' : ' has-lit'}`}
      role="img"
      aria-label={describe(layout, budget)}
      onMouseLeave={() => onHover?.(undefined)}
    >
      {layout.segments.map(({ kind, tokens }) => (
        <div
          key={kind}
          className="budget-segment kind-fill"
          data-kind={kind}
          data-lit={kind === lit ? '' : undefined}
          style={{ flexGrow: tokens }}
          title={`${segmentKindWords(kind).name}: ${formatCount(tokens)} tokens, ${formatShare(tokens / Math.max(1, budget))} of budget`}
          onMouseEnter={() => onHover?.(kind)}
        >
          <span className="budget-letter" aria-hidden="true">
            {kind === 'free' ? '' : segmentKindWords(kind).letter}
          </span>
        </div>
      ))}
      {layout.over > 0 && (
        <div
          className="budget-over"
          style={{ '--over-from': `${layout.budgetMark * 100}%` } as CSSProperties}
          title={`${formatCount(layout.over)} tokens over the budget`}
        />
      )}
    </div>
  );
}

function describe(layout: BudgetBarLayout, budget: number): string {
  const parts = layout.segments.map(({ kind, tokens }) => `${segmentKindWords(kind).name} ${formatCount(tokens)}`);
  const over = layout.over > 0 ? `, ${formatCount(layout.over)} over` : '';
  return `${formatCount(layout.used)} of ${formatCount(budget)} tokens${over}: ${parts.join(', ')}`;
}

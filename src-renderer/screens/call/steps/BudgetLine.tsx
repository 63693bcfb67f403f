import { useMemo } from 'react';
import { formatCount } from '../../../model/format-number.ts';
import type { StepFold } from '../../../model/step-fold.ts';

interface Props {
  readonly fold: StepFold;
  readonly index: number;
}

const height = 40;

/** What was left after each decision, as one line under the slider; the cursor is where one stands. */
export function BudgetLine({ fold, index }: Props) {
  const { rows, start } = fold;
  const { line, zero, marks } = useMemo(() => {
    const lefts = [start, ...rows.map(({ decision }) => decision.budget_left)];
    const [low, high] = [Math.min(0, ...lefts), Math.max(1, ...lefts)];
    const y = (left: number) => (height - 2) * (1 - (left - low) / (high - low)) + 1;
    const steps = lefts.map((left, place) => `${place === 0 ? 'M' : 'L'}${place} ${y(left).toFixed(2)}`);
    const dropped = rows.map(({ decision }, place) => (decision.action === 'dropped' ? `M${place + 0.5} 0v4` : ''));
    return { line: steps.join(''), zero: y(0), marks: dropped.join('') };
  }, [rows, start]);
  const left = rows[index]?.decision.budget_left ?? 0;
  return (
    <svg
      className="budget-line"
      viewBox={`0 0 ${rows.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Left after each decision: from ${formatCount(start)} tokens, now ${formatCount(left)}`}
    >
      <path className="budget-line-dropped" d={marks} />
      <path className="budget-line-zero" d={`M0 ${zero}H${rows.length}`} />
      <path className="budget-line-area" d={`${line}L${rows.length} ${zero}L0 ${zero}Z`} />
      <path className="budget-line-left" d={line} />
      <path className="budget-line-cursor" d={`M${index + 0.5} 0V${height}`} />
    </svg>
  );
}

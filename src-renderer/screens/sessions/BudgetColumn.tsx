import type { CallColumn } from '../../model/call-columns.ts';
import { formatCount, formatNoun } from '../../model/format-number.ts';
import { segmentKindWords } from '../../model/segment-kinds.ts';

interface Props {
  readonly id: string;
  readonly column: CallColumn;
  /** CSS pixels from the right edge, where the newest stands. */
  readonly right: number;
  readonly width: number;
  readonly active: boolean;
  readonly position: number;
  readonly total: number;
  readonly onPoint: () => void;
  readonly onOpen: () => void;
}

const share = (value: number): string => `${(value * 100).toFixed(2)}%`;

/** One call: its segments stacked, its budget as a line, the provider’s number as a tick, compactions before it as a wedge. */
export function BudgetColumn({ id, column, right, width, active, position, total, onPoint, onOpen }: Props) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-setsize={total}
      aria-posinset={position}
      aria-label={words(column)}
      className={`budget-column${active ? ' active' : ''}`}
      style={{ right, width }}
      onPointerEnter={onPoint}
      onClick={onOpen}
    >
      {column.segments.map(({ kind, height }) => (
        <span key={kind} className="kind-fill budget-column-part" data-kind={kind} style={{ height: share(height) }} />
      ))}
      {column.over > 0 && (
        <span
          className="budget-column-over"
          style={{ bottom: share(column.used - column.over), height: share(column.over) }}
        />
      )}
      <span className="budget-column-budget" style={{ bottom: share(column.budget) }} />
      {column.provider !== undefined && (
        <span className="budget-column-provider" style={{ bottom: share(Math.min(1, column.provider)) }} />
      )}
      {column.compactions.length > 0 && <span className="budget-column-compaction" />}
    </div>
  );
}

function words({ call, segments, over, compactions, provider }: CallColumn): string {
  const parts = segments.map(({ kind, tokens }) => `${segmentKindWords(kind).name} ${formatCount(tokens)}`);
  return [
    `Call at ${call.created_at}: about ${formatCount(call.estimated_tokens)} of ${formatCount(call.token_budget)} tokens`,
    ...(over > 0 ? ['over budget'] : []),
    ...parts,
    ...(provider === undefined ? [] : [`provider ${formatCount(call.usage?.prompt_tokens ?? 0)}`]),
    ...(compactions.length > 0 ? [`after ${formatNoun(compactions.length, 'compaction')}`] : []),
  ].join(', ');
}

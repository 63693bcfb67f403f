import {
  columnFilteringFeature,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';
import type { DecisionAction, SegmentKind } from '../../../src-shared/model/trace.ts';
import { ActionMark } from '../../components/ActionMark.tsx';
import { KindMark } from '../../components/KindMark.tsx';
import type { DecisionRow } from '../../model/decision-rows.ts';
import { matchesDecision } from '../../model/decision-rows.ts';
import { formatCount } from '../../model/format-number.ts';
import { headlineScore } from '../../model/headline-score.ts';

export const decisionFeatures = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns: { basic: sortFn_basic, alphanumeric: sortFn_alphanumeric },
});

const helper = createColumnHelper<typeof decisionFeatures, DecisionRow>();
const actionOrder: readonly DecisionAction[] = ['included', 'trimmed', 'dropped'];

/** Filters a column by a set of values; an empty set lets everything pass. */
type Chosen<T> = ReadonlySet<T>;

export const decisionColumns = helper.columns([
  helper.accessor((row) => row.decision.seq, {
    id: 'seq',
    header: '#',
    sortFn: 'basic',
    cell: (cell) => <span className="num dim">{formatCount(cell.getValue())}</span>,
  }),
  helper.accessor((row) => actionOrder.indexOf(row.decision.action), {
    id: 'action',
    header: 'Action',
    sortFn: 'basic',
    filterFn: (row, _id, chosen: Chosen<DecisionAction>) =>
      chosen.size === 0 || chosen.has(row.original.decision.action),
    cell: (cell) => <ActionMark action={cell.row.original.decision.action} />,
  }),
  helper.accessor((row) => row.item?.sequence ?? row.item?.host_index ?? -1, {
    id: 'item',
    header: 'Item',
    sortFn: 'basic',
    cell: (cell) => <ItemCell row={cell.row.original} />,
  }),
  helper.accessor((row) => row.item?.kind ?? '', {
    id: 'kind',
    header: 'Kind',
    sortFn: 'alphanumeric',
    filterFn: (row, _id, chosen: Chosen<SegmentKind>) =>
      chosen.size === 0 || (row.original.item !== undefined && chosen.has(row.original.item.kind)),
    cell: (cell) => {
      const kind = cell.row.original.item?.kind;
      return kind === undefined ? null : <KindMark kind={kind} name />;
    },
  }),
  helper.accessor((row) => row.reason, {
    id: 'reason',
    header: 'Reason',
    sortFn: 'alphanumeric',
    cell: (cell) => <span title={cell.row.original.decision.reason}>{cell.getValue()}</span>,
  }),
  helper.accessor((row) => headlineScore(row.decision.scores) ?? -Infinity, {
    id: 'score',
    header: 'Score',
    sortFn: 'basic',
    cell: (cell) => <span className="num">{cell.row.original.scores}</span>,
  }),
  helper.accessor((row) => row.decision.tokens_before, {
    id: 'tokens',
    header: 'Tokens',
    sortFn: 'basic',
    cell: (cell) => <TokenChange {...cell.row.original.decision} />,
  }),
  helper.accessor((row) => row.decision.budget_left, {
    id: 'left',
    header: 'Left',
    sortFn: 'basic',
    cell: (cell) => <span className={cell.getValue() < 0 ? 'num danger' : 'num soft'}>{signed(cell.getValue())}</span>,
  }),
]);

/** What stands in a column whose name does not say it; shown on hover. */
export const columnMeanings: Readonly<Record<string, string>> = {
  seq: 'The order in which the decisions were made; ?step= in the address names it',
  item: 'What was decided about: a stored turn, a run of turns, or something else that could be sent',
  tokens: 'Tokens of the item, counted by our tokenizer; before → after where it was trimmed',
  left: 'What was left to give out after this decision, in tokens of our tokenizer: the budget, divided by the ratio between the provider’s count and ours, less what had been taken',
};

/** Text of the filter field over the whole row. */
export function decisionFilter(row: { readonly original: DecisionRow }, _id: string, filter: string): boolean {
  return matchesDecision(row.original, filter);
}

function ItemCell({ row }: { readonly row: DecisionRow }) {
  return (
    <span className="item-cell">
      <span className="item-label">
        {row.item !== undefined && <span className="role">{row.item.role}</span>}
        <span className="num dim">{row.label}</span>
      </span>
      <span className="item-preview clip">{row.item?.preview ?? ''}</span>
    </span>
  );
}

/** Tokens before → after; one number where nothing changed. */
function TokenChange(decision: { readonly tokens_before: number; readonly tokens_after: number }) {
  const { tokens_before: before, tokens_after: after } = decision;
  if (before === after) return <span className="num">{formatCount(after)}</span>;
  return (
    <span className="num" title={`${formatCount(before)} tokens before, ${formatCount(after)} after`}>
      <span className="soft">{formatCount(before)} →</span> {formatCount(after)}
    </span>
  );
}

function signed(value: number): string {
  return value < 0 ? `−${formatCount(-value)}` : formatCount(value);
}

import type {
  AssembleTrace,
  DecisionAction,
  SegmentKind,
  TraceDecision,
  TraceItem,
} from '../../src-shared/model/trace.ts';
import { formatScore } from './format-number.ts';
import { itemLabel } from './item-label.ts';
import { reasonClause } from './reason-sentence.ts';
import { segmentKindWords } from './segment-kinds.ts';
import { headlineScore } from './headline-score.ts';

/** A decision with its item, ready to be shown, sorted and searched. */
export interface DecisionRow {
  readonly decision: TraceDecision;
  /** Undefined when the trace names an item that it does not list; the decision is shown all the same. */
  readonly item: TraceItem | undefined;
  readonly label: string;
  readonly reason: string;
  readonly scores: string;
  /** Lower-case text of everything that can be searched. */
  readonly search: string;
}

export function decisionRows(trace: Pick<AssembleTrace, 'decisions' | 'items'>): readonly DecisionRow[] {
  const items = new Map(trace.items.map((item) => [item.item, item]));
  return trace.decisions.map((decision) => {
    const item = items.get(decision.item);
    const label = item === undefined ? decision.item : itemLabel(item);
    const reason = reasonClause(decision, item);
    const words = [label, reason, decision.reason, decision.action, item?.preview, item?.role, item?.uri, item?.kind];
    const kindName = item === undefined ? '' : segmentKindWords(item.kind).name;
    return {
      decision,
      item,
      label,
      reason,
      scores: scoreText(decision),
      search: [...words, kindName].filter(Boolean).join('\n').toLowerCase(),
    };
  });
}

/** Every word of the filter is found somewhere in the row. */
export function matchesDecision(row: DecisionRow, filter: string): boolean {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => row.search.includes(word));
}

export interface DecisionCounts {
  readonly actions: ReadonlyMap<DecisionAction, number>;
  readonly kinds: ReadonlyMap<SegmentKind, number>;
  /** Decisions, as the list of calls counts them: a run of turns that were decided together is one. */
  readonly decisions: ReadonlyMap<DecisionAction, number>;
}

/** How many candidates ended how, and of which kind; a run of turns counts with all of its turns. */
export function countDecisions(rows: readonly DecisionRow[]): DecisionCounts {
  const actions = new Map<DecisionAction, number>();
  const kinds = new Map<SegmentKind, number>();
  const decisions = new Map<DecisionAction, number>();
  for (const { decision, item } of rows) {
    const count = item?.count ?? 1;
    actions.set(decision.action, (actions.get(decision.action) ?? 0) + count);
    decisions.set(decision.action, (decisions.get(decision.action) ?? 0) + 1);
    if (item !== undefined) kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + count);
  }
  return { actions, kinds, decisions };
}

/** A column holds two; the parts of a score of many stand where the decision is opened. */
const mostScores = 2;

function scoreText(decision: TraceDecision): string {
  const scores = Object.entries(decision.scores);
  const headline = headlineScore(decision.scores);
  if (headline === undefined) return '';
  const text =
    scores.length === 1 || scores.length > mostScores
      ? formatScore(headline)
      : scores.map(([name, value]) => `${name} ${formatScore(value)}`).join(', ');
  return decision.threshold === undefined ? text : `${text} / ${formatScore(decision.threshold)}`;
}
